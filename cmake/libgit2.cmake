# libgit2, and with it the way the program is linked: one static file without libgit2's network half (see
# src/git/no_network.cpp for why), or dynamically where static parts are missing or -DMANDATE_STATIC=OFF.
#
# Provides third_party_libgit2, and mandate_link for executables. Sets MANDATE_LINK to static or dynamic.

pkg_check_modules(LIBGIT2 REQUIRED libgit2)

set(MANDATE_LINK dynamic)
set(MANDATE_LINK_WHY "MANDATE_STATIC is off")

if(MANDATE_STATIC)
  # The archives that pkg-config names. One that is not installed may be of the network half, which is not
  # linked, so it is left out and the probe decides.
  set(archives "")
  set(missing "")
  foreach(name IN LISTS LIBGIT2_STATIC_LIBRARIES)
    find_library(ARCHIVE_${name} NAMES "lib${name}.a" HINTS ${LIBGIT2_STATIC_LIBRARY_DIRS} ${LIBGIT2_LIBRARY_DIRS})
    mark_as_advanced(ARCHIVE_${name})
    if(ARCHIVE_${name})
      list(APPEND archives "${ARCHIVE_${name}}")
    else()
      list(APPEND missing "lib${name}.a")
    endif()
  endforeach()

  file(STRINGS src/git/no_network.cpp wraps REGEX "^[a-z]+ __wrap_")
  list(TRANSFORM wraps REPLACE "^[a-z]+ __wrap_([a-z0-9_]+).*" "-Wl,--wrap=\\1")

  try_compile(
    MANDATE_STATIC_LINKS
    SOURCES "${CMAKE_SOURCE_DIR}/cmake/static_link_probe.cpp" "${CMAKE_SOURCE_DIR}/src/git/no_network.cpp"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${LIBGIT2_INCLUDE_DIRS}"
    LINK_OPTIONS -static ${wraps}
    LINK_LIBRARIES -Wl,--start-group ${archives} -Wl,--end-group
    OUTPUT_VARIABLE probe_output
    CXX_STANDARD 20
    CXX_STANDARD_REQUIRED ON)
  if(MANDATE_STATIC_LINKS)
    set(MANDATE_LINK static)
  else()
    file(WRITE "${CMAKE_BINARY_DIR}/static_link_probe.log" "${probe_output}")
    set(MANDATE_LINK_WHY "static parts are missing, see ${CMAKE_BINARY_DIR}/static_link_probe.log")
    if(missing)
      list(JOIN missing ", " missing)
      string(APPEND MANDATE_LINK_WHY "; not installed: ${missing}")
    endif()
  endif()
endif()

add_library(third_party_libgit2 INTERFACE)
target_include_directories(third_party_libgit2 SYSTEM INTERFACE ${LIBGIT2_INCLUDE_DIRS})
# libgit2 1.9 declares git_error_clear in a header of its own, which <git2.h> does not include.
find_path(LIBGIT2_ERRORS_HEADER git2/sys/errors.h HINTS ${LIBGIT2_INCLUDE_DIRS})
mark_as_advanced(LIBGIT2_ERRORS_HEADER)
if(LIBGIT2_ERRORS_HEADER)
  target_compile_options(third_party_libgit2 INTERFACE "SHELL:-include git2/sys/errors.h")
endif()
add_library(mandate_link INTERFACE)

if(MANDATE_LINK STREQUAL static)
  # Objects, not an archive member: the references to them come up only while libgit2.a is read.
  add_library(mandate_no_network OBJECT src/git/no_network.cpp)
  target_link_libraries(mandate_no_network PRIVATE mandate_warnings)
  set_target_properties(mandate_no_network PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_link_options(third_party_libgit2 INTERFACE ${wraps})
  target_link_libraries(third_party_libgit2 INTERFACE $<TARGET_OBJECTS:mandate_no_network> -Wl,--start-group
                                                      ${archives} -Wl,--end-group)
  target_link_options(mandate_link INTERFACE -static -no-pie)
  message(STATUS "Link: static, one file without shared libraries (libgit2 ${LIBGIT2_VERSION} without its network half)")
else()
  target_link_libraries(third_party_libgit2 INTERFACE ${LIBGIT2_LINK_LIBRARIES})
  message(STATUS "Link: dynamic, start-up costs about ten times as much (${MANDATE_LINK_WHY})")
endif()
target_link_options(mandate_link INTERFACE $<$<CONFIG:Release>:-s> -Wl,--gc-sections)
