# mandate_layer(NAME [PUBLIC target...] [PRIVATE target...]): the static library mandate_NAME from src/NAME/**.cpp.
#
# New files are picked up by the next build. A layer without sources yet is headers only.

function(mandate_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "PUBLIC;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/git/no_network\\.cpp$") # see cmake/libgit2.cmake
  if(sources)
    add_library(mandate_${name} STATIC ${sources})
    target_include_directories(mandate_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
    target_link_libraries(mandate_${name} PUBLIC ${layer_PUBLIC} PRIVATE mandate_warnings ${layer_PRIVATE})
    if(name STREQUAL "cli")
      add_library(mandate_cli_objects_exist INTERFACE)
    endif()
  else()
    add_library(mandate_${name} INTERFACE)
    target_include_directories(mandate_${name} INTERFACE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
    target_link_libraries(mandate_${name} INTERFACE ${layer_PUBLIC} ${layer_PRIVATE})
  endif()
endfunction()
