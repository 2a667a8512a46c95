// The program without std::cout and its kin, which nothing here uses (cmake/start_up.cmake).
//
// CLI11 includes <iostream>, and so libstdc++ sets up eight streams and a locale before main: a sixth of all the
// instructions of `allows`. The linker sends the constructor here instead. The streams then must not be used, which
// tests/style/layers.py holds against the sources; a std::stringstream sets up its locale when it is made.

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the linker's
// names
extern "C" {
void __wrap__ZNSt8ios_base4InitC1Ev(void* /*self*/) {}
void __wrap__ZNSt8ios_base4InitD1Ev(void* /*self*/) {}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
