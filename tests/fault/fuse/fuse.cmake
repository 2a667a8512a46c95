# The FUSE file system that breaks locks and syncs on purpose, for tests/fault/file_systems.py. Without libfuse3 that test
# skips its FUSE parts and says so.

pkg_check_modules(fuse3 IMPORTED_TARGET fuse3)
if(fuse3_FOUND)
  add_executable(fault_passthrough "${CMAKE_CURRENT_LIST_DIR}/passthrough.c")
  set_target_properties(fault_passthrough PROPERTIES OUTPUT_NAME passthrough)
  target_compile_options(fault_passthrough PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(fault_passthrough PRIVATE PkgConfig::fuse3)
  set_property(TEST fault.file_systems APPEND PROPERTY ENVIRONMENT "MANDATE_PASSTHROUGH=$<TARGET_FILE:fault_passthrough>")
else()
  message(STATUS "No libfuse3: fault.file_systems will skip its FUSE file systems")
endif()
