# The kinds of target of this project.

add_library(countertop_warnings INTERFACE)
target_compile_options(countertop_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${COUNTERTOP_WERROR}>:-Werror>)

# A room: one static library, included by path from the repository's root.
function(countertop_add_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  if(NOT arg_SOURCES)
    add_library(countertop_${name} INTERFACE)
    return()
  endif()
  add_library(countertop_${name} STATIC ${arg_SOURCES})
  target_include_directories(countertop_${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(countertop_${name} PUBLIC ${arg_LIBS} PRIVATE countertop_warnings)
endfunction()

function(countertop_common_definitions target)
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    COUNTERTOP_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    COUNTERTOP_SHARED_DIR="${COUNTERTOP_SHARED_DIR}")
endfunction()

# One Catch2 program per test folder; it says how many cases it skipped.
function(countertop_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  if(NOT COUNTERTOP_TESTS)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  countertop_common_definitions(test_${name})
  target_link_libraries(test_${name} PRIVATE ${arg_LIBS} catch2 countertop_warnings)
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 4)
endfunction()

# A fuzzer, and everywhere the replay of its corpus.
function(countertop_add_fuzzer name)
  cmake_parse_arguments(arg "" "CORPUS" "SOURCES;LIBS" ${ARGN})
  if(NOT COUNTERTOP_TESTS)
    return()
  endif()
  add_executable(fuzz_${name}_replay ${arg_SOURCES} "${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
  countertop_common_definitions(fuzz_${name}_replay)
  target_link_libraries(fuzz_${name}_replay PRIVATE ${arg_LIBS} countertop_warnings)
  if(arg_CORPUS)
    get_filename_component(corpus "${arg_CORPUS}" ABSOLUTE)
    add_test(NAME fuzz_${name}_replay COMMAND fuzz_${name}_replay "${corpus}")
    set_tests_properties(fuzz_${name}_replay PROPERTIES TIMEOUT 120)
  endif()
  if(COUNTERTOP_FUZZ)
    add_executable(fuzz_${name} ${arg_SOURCES})
    countertop_common_definitions(fuzz_${name})
    target_link_libraries(fuzz_${name} PRIVATE ${arg_LIBS} countertop_warnings)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()

function(countertop_add_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  if(NOT COUNTERTOP_TESTS)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  countertop_common_definitions(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} countertop_warnings)
endfunction()
