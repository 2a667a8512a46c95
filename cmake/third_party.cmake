# Debian's packages under one spelling, third_party_NAME; all of them are system headers to the compiler.

find_package(PkgConfig REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(toml11 REQUIRED)
find_package(CLI11 REQUIRED)

function(third_party name package_target)
  add_library(third_party_${name} INTERFACE)
  target_link_libraries(third_party_${name} INTERFACE ${package_target})
endfunction()

third_party(expected tl::expected)
third_party(json nlohmann_json::nlohmann_json)
third_party(toml toml11::toml11)
third_party(cli11 CLI11::CLI11)
