# `cpack -G DEB` and `cpack -G TGZ`, from what is installed; cmake/debian/prepare.cmake makes of it what Debian expects.
#
# The tarball holds the tree itself (bin/, share/), and works wherever it is unpacked.

# An address that is reserved for examples: whoever publishes the package gives one that is read.
set(MANDATE_MAINTAINER "The mandate authors <mandate@packages.example.org>" CACHE STRING "Maintainer of the Debian package")

set(CPACK_PACKAGE_NAME mandate)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Who may do what in which git worktree, answered at once")
set(CPACK_PACKAGE_CONTACT "${MANDATE_MAINTAINER}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS git)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION
    "Several workers (coding agents, scripts, colleagues) work at once, each in its\nown git worktree. This program answers what hooks and scripts ask: may this\nworktree do something without asking again, and may it run one more review\nround? The answers come from what a person granted, and from a budget that\nholds when processes ask in the same instant or are killed halfway.")
# One static file depends on nothing; for the other the libraries' own packages say which versions it needs.
if(MANDATE_LINK STREQUAL static)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()

# The day of the newest commit, so that the same sources give the same package.
find_program(GIT git)
mark_as_advanced(GIT)
if(GIT)
  execute_process(
    COMMAND "${GIT}" -C "${CMAKE_CURRENT_SOURCE_DIR}" log -1 --format=%cD
    OUTPUT_VARIABLE MANDATE_RELEASE_DAY OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT MANDATE_RELEASE_DAY)
  string(TIMESTAMP MANDATE_RELEASE_DAY "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
configure_file(cmake/debian/changelog.in debian/changelog @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/prepare.cmake")
set(CPACK_MANDATE_DEBIAN "${CMAKE_BINARY_DIR}/debian")
set(CPACK_MANDATE_LINK "${MANDATE_LINK}")
include(CPack)
