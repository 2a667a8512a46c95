# Warnings are errors, for our code only: third-party headers come in as system headers.

add_library(mandate_warnings INTERFACE)
target_compile_options(
  mandate_warnings
  INTERFACE
    -Werror
    -Wall
    -Wextra
    -Wpedantic
    -Wconversion
    -Wsign-conversion
    -Wshadow
    -Wcast-align
    -Wcast-qual
    -Wdouble-promotion
    -Wextra-semi
    -Wformat=2
    -Wno-format-nonliteral # a template may pass a literal format on
    -Wimplicit-fallthrough
    -Wnon-virtual-dtor
    -Wnull-dereference
    -Wold-style-cast
    -Woverloaded-virtual
    -Wundef
    -Wunused
    $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-field-initializers> # in libgit2's GIT_..._INIT macros
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-branches>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> # GCC 12 gives false alarms inside std::variant
    $<$<CXX_COMPILER_ID:GNU>:-Wuseless-cast>)
