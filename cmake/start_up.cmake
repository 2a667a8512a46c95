# What a start of the program need not do, for `allows` in less than half the time (docs/performance.md). Start-up and
# layout only: the program does the same without this file, as it does in a dynamic link.

if(MANDATE_LINK STREQUAL static)
  add_library(mandate_no_streams OBJECT src/cli/no_streams.cpp)
  target_link_libraries(mandate_no_streams PRIVATE mandate_warnings)
  target_link_libraries(mandate PRIVATE $<TARGET_OBJECTS:mandate_no_streams>)
  target_link_options(mandate PRIVATE -Wl,--wrap=_ZNSt8ios_base4InitC1Ev -Wl,--wrap=_ZNSt8ios_base4InitD1Ev)

  set(MANDATE_START_UP_ORDER "${CMAKE_CURRENT_LIST_DIR}/start_up.ld")
  include(CheckLinkerFlag)
  check_linker_flag(CXX "-Wl,-T,${MANDATE_START_UP_ORDER}" MANDATE_LINKER_TAKES_ORDER)
  if(MANDATE_LINKER_TAKES_ORDER)
    target_link_options(mandate PRIVATE "-Wl,-T,${MANDATE_START_UP_ORDER}")
    set_target_properties(mandate PROPERTIES LINK_DEPENDS "${MANDATE_START_UP_ORDER}")
  else()
    message(STATUS "Link: this linker takes no order of functions, start-up costs more page faults")
  endif()
endif()
