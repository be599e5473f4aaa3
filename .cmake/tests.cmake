# Functions for tests, fuzzers and benchmarks. Sources are relative to the calling folder.

# A program that knows where the tree and the recorded data lie.
function(countertop_add_test_program target)
  cmake_parse_arguments(arg "EXCLUDE_FROM_ALL" "" "SOURCES;LIBS" ${ARGN})
  if(arg_EXCLUDE_FROM_ALL)
    add_executable(${target} EXCLUDE_FROM_ALL ${arg_SOURCES})
  else()
    add_executable(${target} ${arg_SOURCES})
  endif()
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE
    COUNTERTOP_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    COUNTERTOP_SHARED_DIR="${COUNTERTOP_SHARED_DIR}")
  target_link_libraries(${target} PRIVATE ${arg_LIBS} countertop_warnings)
endfunction()

# countertop_add_test(<name> SOURCES x_test.cpp ... [LIBS target ...] [LABELS label ...] [TIMEOUT seconds] [SERIAL])
# A Catch2 program test_<name> and one ctest entry. SERIAL: nothing else runs beside it (it measures time).
function(countertop_add_test name)
  if(NOT COUNTERTOP_TESTS)
    return()
  endif()
  countertop_parse_arguments("SERIAL" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  countertop_add_test_program(test_${name} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS} Catch2::Catch2WithMain)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  # A program whose every case was skipped is not a failure: ctest shows it as skipped (Catch2 returns 4).
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 4 LABELS "cpp;${arg_LABELS}" RUN_SERIAL ${arg_SERIAL})
endfunction()

# countertop_add_fuzzer(<name> SOURCES x_fuzzer.cpp [CORPUS folder] [LIBS target ...])
# Always: fuzz_<name>_replay, which ctest runs over the corpus. With COUNTERTOP_FUZZ also libFuzzer's fuzz_<name>.
if(COUNTERTOP_FUZZ)
  add_custom_target(fuzzers)
endif()
function(countertop_add_fuzzer name)
  if(NOT COUNTERTOP_TESTS)
    return()
  endif()
  countertop_parse_arguments("" "CORPUS" "SOURCES;LIBS" ${ARGN})
  if(NOT arg_CORPUS)
    set(arg_CORPUS corpus/${name})
  endif()
  get_filename_component(corpus ${arg_CORPUS} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})

  countertop_add_test_program(fuzz_${name}_replay
    SOURCES ${arg_SOURCES} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cpp LIBS ${arg_LIBS})
  add_test(NAME fuzz_${name}_replay COMMAND fuzz_${name}_replay ${corpus})
  set_tests_properties(fuzz_${name}_replay PROPERTIES TIMEOUT 120 LABELS "cpp;fuzz")

  if(COUNTERTOP_FUZZ)
    countertop_add_test_program(fuzz_${name} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzzers/${name}.corpus "${corpus}\n")
    add_dependencies(fuzzers fuzz_${name})
  endif()
endfunction()

# countertop_add_benchmark(<name>_benchmark SOURCES x_benchmark.cpp ... [LIBS target ...])
# A program bench/<name>, built by its target bench_<name> or `benchmarks` only. Google Benchmark and its main
# are linked where they exist; a source with a main of its own wins.
if(COUNTERTOP_BENCHMARKS)
  add_custom_target(benchmarks)
endif()
function(countertop_add_benchmark name)
  if(NOT COUNTERTOP_BENCHMARKS)
    return()
  endif()
  countertop_parse_arguments("" "" "SOURCES;LIBS" ${ARGN})
  string(REGEX REPLACE "_benchmark$" "" name ${name})
  countertop_add_test_program(bench_${name} EXCLUDE_FROM_ALL SOURCES ${arg_SOURCES} LIBS ${arg_LIBS})
  if(TARGET benchmark::benchmark)
    target_link_libraries(bench_${name} PRIVATE benchmark::benchmark_main benchmark::benchmark)
  endif()
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  add_dependencies(benchmarks bench_${name})
endfunction()
