// For the tests of os/: a scratch directory with its descriptor, and real processes that talk with the test.
#pragma once

#include "os/file.hpp"
#include "support/repo.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace mandate::os::testing {

// A fresh directory, opened.
class Place {
public:
    Place();
    [[nodiscard]] const Fd& fd() const { return m_fd; }
    [[nodiscard]] std::string path(std::string_view name = {}) const;
    void write(const std::string& name, std::string_view bytes) const;
    [[nodiscard]] std::string read(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> names() const;  // sorted

private:
    test::ScratchDir m_scratch;
    Fd m_fd;
};

// Both ends of the line between a test and its child speak single letters. `hear` blocks until one comes; 0: the
// other side has ended (or said nothing for a minute).
class Line {
public:
    explicit Line(Fd fd) : m_fd(std::move(fd)) {}
    void say(char letter) const;
    [[nodiscard]] char hear() const;

private:
    Fd m_fd;
};

// A forked process that runs `body` and exits with what it returns. It dies with the test, by SIGKILL.
class Child {
public:
    explicit Child(const std::function<int(const Line&)>& body);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    Child(Child&&) = delete;
    Child& operator=(Child&&) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }
    [[nodiscard]] const Line& line() const { return m_line; }
    void kill(int signal) const;
    int wait();  // exit status, or minus the signal that ended it

private:
    Line m_line;
    pid_t m_pid = -1;
    bool m_waited = false;
};

// Until `holds` says so; false after a minute. For states of the kernel that announce themselves to nobody.
bool await(const std::function<bool()>& holds);

// Whether the kernel has the process in the queue for a flock (its "->" line in /proc/locks).
bool queued_for_lock(pid_t pid);

// For a child: becomes the user nobody, without groups and rights. 0, or the errno.
int become_nobody();

}  // namespace mandate::os::testing
