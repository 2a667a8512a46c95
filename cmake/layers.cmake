# mandate_layer(NAME [PUBLIC target...] [PRIVATE target...]): the static library mandate_NAME from src/NAME/**.cpp.
#
# New files are picked up by the next build.

function(mandate_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "PUBLIC;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/(git/no_network|cli/no_streams)\\.cpp$") # see cmake/libgit2.cmake, cmake/start_up.cmake
  add_library(mandate_${name} STATIC ${sources})
  target_include_directories(mandate_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
  target_link_libraries(mandate_${name} PUBLIC ${layer_PUBLIC} PRIVATE mandate_warnings ${layer_PRIVATE})
endfunction()
