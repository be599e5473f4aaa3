# What a build can choose. Presets in CMakePresets.json name the useful combinations.
option(COUNTERTOP_WERROR "Warnings are errors" ON)
option(COUNTERTOP_TESTS "Build tests, fuzzers and benchmarks" ON)
option(COUNTERTOP_FUZZ "Build libFuzzer binaries (needs clang)" OFF)
set(COUNTERTOP_SANITIZE "" CACHE STRING "Sanitizers of the whole build, such as address,undefined or thread")
set(COUNTERTOP_DEPS_DIR "${CMAKE_SOURCE_DIR}/build/deps" CACHE PATH "Pinned sources that ./dev deps brings")
set(COUNTERTOP_SHARED_DIR "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH "Recorded data for tests; may be absent")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Line tables are enough for stack traces and keep debug builds quick.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(COUNTERTOP_SANITIZE)
  add_compile_options(-fsanitize=${COUNTERTOP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${COUNTERTOP_SANITIZE})
endif()
if(COUNTERTOP_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
