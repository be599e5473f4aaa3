# Options, the language level and the flags which hold for every target.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

option(COUNTERTOP_WERROR "Treat warnings as errors" ON)
option(COUNTERTOP_TESTS "Build the tests" ON)
option(COUNTERTOP_BENCHMARKS "Make the benchmarks buildable (target: benchmarks)" ON)
option(COUNTERTOP_FUZZ "Build the libFuzzer programs (needs clang)" OFF)
set(COUNTERTOP_SANITIZE "" CACHE STRING "A value of -fsanitize=, such as address,undefined or thread")
set(COUNTERTOP_DEPS_DIR "${CMAKE_SOURCE_DIR}/build/deps" CACHE PATH
  "Where ./dev deps puts the pinned sources of cpp-httplib and Catch2")
set(COUNTERTOP_WEB_DIST "${CMAKE_SOURCE_DIR}/web/dist" CACHE PATH "The built page, which the program embeds")
set(COUNTERTOP_SHARED_DIR "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH "Recorded data for tests; may be absent")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Tests want asserts and line numbers; -O1 and -g1 compile and run them in half the time of -O0 -g.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections -fstack-protector-strong")
set(CMAKE_C_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
if(NOT WIN32)
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -D_FORTIFY_SOURCE=2")
  set(CMAKE_EXE_LINKER_FLAGS_RELEASE "-Wl,--gc-sections -Wl,-z,relro,-z,now")
endif()

if(COUNTERTOP_SANITIZE)
  add_compile_options(-fsanitize=${COUNTERTOP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${COUNTERTOP_SANITIZE})
  # Lets a test skip what a sanitizer makes meaningless: time limits, memory limits.
  add_compile_definitions(COUNTERTOP_SANITIZED=1)
endif()

if(COUNTERTOP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "COUNTERTOP_FUZZ needs clang: use the preset `fuzz`, or ./dev fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
