// libgit2 without its network half, for the static link (cmake/libgit2.cmake; unused in a dynamic one).
//
// This program never opens a connection, but `git_libgit2_init` would start TLS (it reads the whole CA
// bundle, milliseconds) and SSH, and the transports would pull in libssh2, OpenSSL and Kerberos, of which
// Debian has no complete static set. So the linker is told to `--wrap` the few symbols through which the
// rest of libgit2 reaches that half: each reference to `symbol` becomes one to `__wrap_symbol` below, and the
// archive members behind it are not linked at all.
//
// Functions that would start something succeed and do nothing; functions that would connect fail, so a
// mistake shows as an error and never as a connection. Which versions have which symbol does not matter: a
// `--wrap` without a reference does nothing. C has no mangling, so the parameters that nobody reads are left out.

#include <cstddef>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the linker's
// names NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): stand-ins for libgit2's own variables

struct passwd;

extern "C" {

// Start-up, called by git_libgit2_init.
int __wrap_git_mbedtls_stream_global_init() { return 0; }
int __wrap_git_openssl_stream_global_init() { return 0; }
int __wrap_git_transport_ssh_global_init() { return 0; }
int __wrap_git_transport_ssh_libssh2_global_init() { return 0; }
int __wrap_git_socket_stream_global_init() { return 0; }

// The one way from remotes to transports, and the options that would configure TLS.
int __wrap_git_transport_new() { return -1; }
int __wrap_git_mbedtls__set_cert_location() { return -1; }
int __wrap_git_openssl__set_cert_location() { return -1; }

// Variables of the transports that git_libgit2_opts can set.
bool __wrap_git_http__expect_continue = false;
bool __wrap_git_smart__ofs_delta_enabled = true;
int __wrap_git_socket_stream__connect_timeout = 0;
int __wrap_git_socket_stream__timeout = 0;

// Asked by libgit2 only in a set-user-id process, for a home directory. A static C library would have to load
// shared libraries to answer (name service switch); "no such user" makes libgit2 go on without one.
int __wrap_getpwuid_r(unsigned /*uid*/, passwd* /*entry*/, char* /*buffer*/, std::size_t /*size*/, passwd** result)
{
    *result = nullptr;
    return 0;
}

}  // extern "C"

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
