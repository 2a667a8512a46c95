# The fuzz targets for a fixed number of runs, in a build of their own: all that they reach has the fuzzer's coverage.

add_test(NAME fuzz.configure COMMAND "${CMAKE_COMMAND}" --preset fuzz WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME fuzz.build COMMAND "${CMAKE_COMMAND}" --build --preset fuzz WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME fuzz.run COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run.sh" "${PROJECT_SOURCE_DIR}/build/fuzz" -runs=20000)
set_tests_properties(fuzz.configure PROPERTIES FIXTURES_SETUP fuzz_configured TIMEOUT 120)
set_tests_properties(fuzz.build PROPERTIES FIXTURES_REQUIRED fuzz_configured FIXTURES_SETUP fuzz_built PROCESSORS 2 TIMEOUT 1200)
set_tests_properties(fuzz.run PROPERTIES FIXTURES_REQUIRED fuzz_built PROCESSORS 2 TIMEOUT 1200)
