# What comes from the system's packages, and the pinned sources which ./dev deps brings.
# Gives: SQLite::SQLite3 ZLIB::ZLIB zstd CLI11::CLI11 tomlplusplus::tomlplusplus spdlog::spdlog
# nlohmann_json::nlohmann_json date::date-tz Threads::Threads httplib::httplib Catch2::Catch2WithMain

function(countertop_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. `./dev deps` installs everything the build needs.")
  endif()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
countertop_find(SQLite3 3.37)
countertop_find(ZLIB)
countertop_find(CLI11 CONFIG)
countertop_find(tomlplusplus CONFIG)
countertop_find(spdlog CONFIG)
countertop_find(nlohmann_json CONFIG)
countertop_find(date CONFIG)
find_path(COUNTERTOP_EXPECTED_INCLUDE_DIR tl/expected.hpp)
find_library(COUNTERTOP_ZSTD_LIBRARY zstd)
find_path(COUNTERTOP_ZSTD_INCLUDE_DIR zstd.h)
if(NOT COUNTERTOP_EXPECTED_INCLUDE_DIR OR NOT COUNTERTOP_ZSTD_LIBRARY)
  message(FATAL_ERROR "tl/expected.hpp or zstd was not found. `./dev deps` installs everything the build needs.")
endif()

if(NOT EXISTS ${COUNTERTOP_DEPS_DIR}/httplib/httplib.h)
  message(FATAL_ERROR "${COUNTERTOP_DEPS_DIR}/httplib/httplib.h is absent. `./dev deps` brings it.")
endif()
add_library(zstd INTERFACE)
target_link_libraries(zstd INTERFACE ${COUNTERTOP_ZSTD_LIBRARY})
target_include_directories(zstd SYSTEM INTERFACE ${COUNTERTOP_ZSTD_INCLUDE_DIR})
add_library(tomlplusplus INTERFACE)
target_link_libraries(tomlplusplus INTERFACE tomlplusplus::tomlplusplus)

add_library(httplib INTERFACE)
add_library(httplib::httplib ALIAS httplib)
target_include_directories(httplib SYSTEM INTERFACE ${COUNTERTOP_DEPS_DIR}/httplib)
target_link_libraries(httplib INTERFACE Threads::Threads)
if(WIN32)
  target_link_libraries(httplib INTERFACE ws2_32 crypt32)
  target_compile_definitions(httplib INTERFACE _WIN32_WINNT=0x0A00)
endif()

if(COUNTERTOP_TESTS)
  if(NOT EXISTS ${COUNTERTOP_DEPS_DIR}/catch2/catch_amalgamated.cpp)
    message(FATAL_ERROR "${COUNTERTOP_DEPS_DIR}/catch2/catch_amalgamated.cpp is absent. `./dev deps` brings it.")
  endif()
  # One big file, compiled once; tests include the small headers below catch2/include.
  add_library(catch2 STATIC EXCLUDE_FROM_ALL ${COUNTERTOP_DEPS_DIR}/catch2/catch_amalgamated.cpp)
  add_library(Catch2::Catch2WithMain ALIAS catch2)
  target_include_directories(catch2 SYSTEM PUBLIC
    ${COUNTERTOP_DEPS_DIR}/catch2/include ${COUNTERTOP_DEPS_DIR}/catch2)
  target_link_libraries(catch2 PUBLIC Threads::Threads)
endif()

if(COUNTERTOP_BENCHMARKS)
  find_package(benchmark CONFIG QUIET)
endif()

# The program's version as the macro COUNTERTOP_VERSION. Only the few files that print it should link this.
add_library(countertop_version INTERFACE)
target_compile_definitions(countertop_version INTERFACE COUNTERTOP_VERSION="${PROJECT_VERSION}")
