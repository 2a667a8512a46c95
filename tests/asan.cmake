# The unit and cli suites once more under AddressSanitizer and UndefinedBehaviorSanitizer, in a build of their own.

add_test(NAME asan.configure COMMAND "${CMAKE_COMMAND}" --preset asan WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME asan.build COMMAND "${CMAKE_COMMAND}" --build --preset asan WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME asan.suite COMMAND "${CMAKE_CTEST_COMMAND}" --preset asan WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(asan.configure PROPERTIES FIXTURES_SETUP asan_configured TIMEOUT 120)
set_tests_properties(asan.build PROPERTIES FIXTURES_REQUIRED asan_configured FIXTURES_SETUP asan_built PROCESSORS 2 TIMEOUT 2400)
set_tests_properties(asan.suite PROPERTIES FIXTURES_REQUIRED asan_built PROCESSORS 2 TIMEOUT 2400)
