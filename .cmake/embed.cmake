# Files inside the program.
#
#   countertop_embed(<target> NAME <function> [STRIP <directory>] [DEPENDS ...] FILES <file>...)
#   countertop_embed(<target> NAME <function> DIRECTORY <directory>)     every file below it at configure time
#
# adds to <target> the function `std::span<const countertop::EmbeddedFile> countertop::embedded::<function>()`
# (collectors/core/embedded_file.hpp). The assembler takes the bytes in as they are, so size costs no compile time.
# Paths are relative to STRIP, by default the directory of the first file. When DIRECTORY is empty or absent the
# build of <target> fails and says so; configuring does not.
function(countertop_embed target)
  cmake_parse_arguments(arg "" "NAME;STRIP;DIRECTORY" "FILES;DEPENDS" ${ARGN})
  if(arg_DIRECTORY)
    file(GLOB_RECURSE arg_FILES CONFIGURE_DEPENDS LIST_DIRECTORIES false "${arg_DIRECTORY}/*")
    set(arg_STRIP "${arg_DIRECTORY}")
  endif()
  if(NOT arg_STRIP AND arg_FILES)
    list(GET arg_FILES 0 first)
    get_filename_component(arg_STRIP "${first}" DIRECTORY)
  endif()

  set(assembler "    .section .rodata\n")
  set(declarations "")
  set(rows "")
  set(index 0)
  foreach(file IN LISTS arg_FILES)
    get_filename_component(file "${file}" ABSOLUTE)
    file(RELATIVE_PATH path "${arg_STRIP}" "${file}")
    set(symbol "countertop_embedded_${arg_NAME}_${index}")
    string(APPEND assembler
      "    .global ${symbol}\n    .global ${symbol}_end\n${symbol}:\n    .incbin \"${file}\"\n${symbol}_end:\n    .byte 0\n")
    string(APPEND declarations "extern \"C\" const char ${symbol}[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND rows
      "      {\"${path}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembler "    .section .note.GNU-stack,\"\",%progbits\n")

  if(NOT arg_FILES)
    string(APPEND declarations
      "#error \"${arg_DIRECTORY} is empty or absent: `./dev build` makes the page, then configure anew\"\n")
  endif()
  set(table "static const std::array<EmbeddedFile, ${index}> files{{\n${rows}  }};\n  return files;")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_${arg_NAME}.cpp")
  set(bytes "${CMAKE_CURRENT_BINARY_DIR}/embedded_${arg_NAME}.S")
  file(CONFIGURE OUTPUT "${bytes}" CONTENT "${assembler}" @ONLY)
  file(CONFIGURE OUTPUT "${source}" CONTENT
"#include <array>
#include <span>

#include \"collectors/core/embedded_file.hpp\"

${declarations}
namespace countertop::embedded {
std::span<const EmbeddedFile> ${arg_NAME}();
std::span<const EmbeddedFile> ${arg_NAME}() {
  ${table}
}
}  // namespace countertop::embedded
" @ONLY)
  set_source_files_properties("${bytes}" PROPERTIES OBJECT_DEPENDS "${arg_FILES}")
  target_sources(${target} PRIVATE "${source}" "${bytes}")
endfunction()
