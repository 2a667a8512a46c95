# docs/completions/* inside of the program, byte for byte: `mandate completion SHELL` prints the file.

set(completions_dir "${CMAKE_CURRENT_SOURCE_DIR}/docs/completions")
set(COMPLETION_ROWS "")
foreach(pair IN ITEMS bash:mandate.bash zsh:_mandate fish:mandate.fish)
  string(REGEX MATCH "^([a-z]+):(.*)$" matched "${pair}")
  set(shell "${CMAKE_MATCH_1}")
  set(file "${completions_dir}/${CMAKE_MATCH_2}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  # A literal a line of the file, so that none is long: 0a ends a line.
  string(REPLACE "\\x0a" "\\n\"\n     \"" bytes "${bytes}")
  string(APPEND COMPLETION_ROWS "    {\"${shell}\",\n     \"${bytes}\"},\n")
endforeach()
configure_file(cmake/completion_scripts.hpp.in generated/cli/completion_scripts.hpp @ONLY)
