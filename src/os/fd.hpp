// A file descriptor that closes itself, and the error type of everything in os/.
//
// Functions of os/ that only wrap the kernel return the bare errno: what it means for the user is decided
// by the caller, who knows which file it was. Every descriptor of this program is close-on-exec.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace mandate::os {

struct Errno {
    int value = 0;
    [[nodiscard]] std::string text() const;  // "No space left on device", never "Unknown error"
    [[nodiscard]] std::string name() const;  // "ENOSPC"; the number where the C library has no name
    bool operator==(int other) const { return value == other; }
};

template<typename T>
using OsResult = tl::expected<T, Errno>;

class Fd {
public:
    Fd() = default;
    explicit Fd(int fd) : m_fd(fd) {}
    ~Fd() { reset(); }
    Fd(Fd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Fd& operator=(Fd&& other) noexcept
    {
        if (this != &other) {
            reset();
            m_fd = std::exchange(other.m_fd, -1);
        }
        return *this;
    }
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;

    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool valid() const { return m_fd >= 0; }

    // The bare number, which somebody else closes from now on.
    int release() { return std::exchange(m_fd, -1); }

    // Closes and reports what close(2) said: a write-back error may show only here (close(2), NOTES).
    // The descriptor is gone either way, EINTR included (Linux).
    OsResult<void> close();

private:
    void reset();
    int m_fd = -1;
};

}  // namespace mandate::os
