#include "os_support.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <grp.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mandate::os::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto k_longest_test = 60s;
constexpr unsigned k_nobody = 65534;

}  // namespace

Place::Place()
{
    std::filesystem::create_directory(m_scratch.path() / "place");  // not the scratch directory: it has a home in it
    auto opened = open_directory(path());
    if (!opened) {
        throw std::runtime_error("scratch directory: " + opened.error().text());
    }
    m_fd = std::move(*opened);
}

std::string Place::path(std::string_view name) const
{
    const std::string directory = (m_scratch.path() / "place").string();
    return name.empty() ? directory : directory + "/" + std::string(name);
}

void Place::write(const std::string& name, std::string_view bytes) const { test::write_file(path(name), bytes); }

std::string Place::read(const std::string& name) const { return test::read_file(path(name)); }

std::vector<std::string> Place::names() const
{
    auto names = list_names(m_fd).value();
    std::sort(names.begin(), names.end());
    return names;
}

void Line::say(char letter) const { (void)::send(m_fd.get(), &letter, 1, MSG_NOSIGNAL); }

char Line::hear() const
{
    char letter = 0;
    ssize_t got = 0;
    do {
        got = ::read(m_fd.get(), &letter, 1);
    } while (got == -1 && errno == EINTR);
    return got == 1 ? letter : '\0';
}

Child::Child(const std::function<int(const Line&)>& body) : m_line(Fd())
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == -1) {
        throw std::runtime_error("socketpair");
    }
    Line ours{Fd(ends[0])};
    const Line theirs{Fd(ends[1])};
    const timeval minute{60, 0};
    ::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
    ::setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
    const pid_t test = ::getpid();
    m_pid = ::fork();
    if (m_pid == 0) {
        ours = Line(Fd());
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::_exit(::getppid() == test ? body(theirs) : 1);  // no destructor of the test's runs twice
    }
    m_line = std::move(ours);
}

Child::~Child()
{
    if (!m_waited) {
        kill(SIGKILL);
        wait();
    }
}

void Child::kill(int signal) const { ::kill(m_pid, signal); }

int Child::wait()
{
    int status = 0;
    while (::waitpid(m_pid, &status, 0) == -1 && errno == EINTR) {
    }
    m_waited = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool await(const std::function<bool()>& holds)
{
    const auto end = std::chrono::steady_clock::now() + k_longest_test;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(100us);
    }
    return true;
}

bool queued_for_lock(pid_t pid)
{
    std::ifstream locks("/proc/locks");
    const std::string field = " " + std::to_string(pid) + " ";
    for (std::string line; std::getline(locks, line);) {
        if (line.find("-> FLOCK") != std::string::npos && line.find(field) != std::string::npos) {
            return true;
        }
    }
    return false;
}

int become_nobody()
{
    const bool done = ::setgroups(0, nullptr) == 0 && ::setresgid(k_nobody, k_nobody, k_nobody) == 0 &&
                      ::setresuid(k_nobody, k_nobody, k_nobody) == 0;
    return done ? 0 : errno;
}

}  // namespace mandate::os::testing
