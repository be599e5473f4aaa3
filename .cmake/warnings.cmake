# countertop_warnings: the warnings of our own code. Headers of others come in as SYSTEM.
add_library(countertop_warnings INTERFACE)
target_compile_options(countertop_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>)

if(COUNTERTOP_WERROR)
  target_compile_options(countertop_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms inside libstdc++ when optimizing (GCC bugs 105651 and 105562, 107852).
  target_compile_options(countertop_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow>)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ uses what it deprecates itself (std::get_temporary_buffer in stable sorts); GCC keeps quiet about it.
  target_compile_options(countertop_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety -Wno-deprecated-declarations>)
endif()
