# The benchmark (`cmake --workflow --preset bench`), and a small run of it as a test, so that it keeps working.

foreach(tool IN ITEMS empty floor turns)
  add_executable(bench_${tool} "${CMAKE_CURRENT_LIST_DIR}/${tool}.c")
  set_target_properties(bench_${tool} PROPERTIES OUTPUT_NAME ${tool} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bench")
  target_compile_options(bench_${tool} PRIVATE -O2 -Wall -Wextra -Werror)
endforeach()
target_link_options(bench_empty PRIVATE -static)
target_link_options(bench_floor PRIVATE -static)

set(bench_environment "MANDATE_BINARY=$<TARGET_FILE:mandate>" "MANDATE_BENCH_TOOLS=$<TARGET_FILE_DIR:bench_turns>"
                      "MANDATE_BENCH_ROOT=${CMAKE_CURRENT_BINARY_DIR}/bench")
add_custom_target(
  bench
  COMMAND "${CMAKE_COMMAND}" -E env ${bench_environment} python3 "${CMAKE_CURRENT_LIST_DIR}/bench.py"
  DEPENDS mandate bench_empty bench_floor bench_turns
  USES_TERMINAL VERBATIM
  COMMENT "The benchmark: some minutes, on a machine that does nothing else")
add_test(NAME bench.quick COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/bench.py" --quick)
set_tests_properties(bench.quick PROPERTIES ENVIRONMENT "${bench_environment}" TIMEOUT 300)
if(MANDATE_LINK STREQUAL "static")
  add_test(NAME bench.call_budget COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/call_budget.py")
  set_tests_properties(
    bench.call_budget
    PROPERTIES ENVIRONMENT "MANDATE_BINARY=$<TARGET_FILE:mandate>;PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/support" TIMEOUT 120)
endif()
