# Run by cpack between installing into its own tree and packing it: for DEB, what Debian's policy asks for on top.

if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(usr "${CPACK_TEMPORARY_DIRECTORY}/usr")
set(doc "${usr}/share/doc/mandate")
find_program(gzip gzip REQUIRED)

function(compress file)
  execute_process(COMMAND "${gzip}" -9 -n -f "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Pages are compressed, and a link to one follows it.
compress("${usr}/share/man/man1/mandate.1")
file(REMOVE "${usr}/share/man/man1/git-mandate.1")
file(CREATE_LINK mandate.1.gz "${usr}/share/man/man1/git-mandate.1.gz" SYMBOLIC)

file(RENAME "${doc}/CHANGELOG.md" "${doc}/changelog")
compress("${doc}/changelog")
file(COPY_FILE "${CPACK_MANDATE_DEBIAN}/changelog" "${doc}/changelog.Debian")
compress("${doc}/changelog.Debian")
file(CHMOD "${doc}/changelog.gz" "${doc}/changelog.Debian.gz" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
# The licence stands in `copyright`, where Debian looks for it.
file(REMOVE "${doc}/LICENSE")

# Debian's zsh looks here for what packages bring.
file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")

set(overrides "${usr}/share/lintian/overrides/mandate")
file(READ "${CMAKE_CURRENT_LIST_DIR}/lintian-overrides" text)
if(CPACK_MANDATE_LINK STREQUAL static)
  file(READ "${CMAKE_CURRENT_LIST_DIR}/lintian-overrides.static" more)
  string(APPEND text "${more}")
endif()
file(WRITE "${overrides}" "${text}")
file(CHMOD "${overrides}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
