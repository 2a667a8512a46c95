#include "support/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace mandate::test {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throw_errno(const std::string& what, int error)
{
    throw std::runtime_error(what + ": " + std::strerror(error));
}

// Owns one descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool is_open() const { return m_fd >= 0; }
    void reset()
    {
        if (m_fd >= 0) {
            ::close(std::exchange(m_fd, -1));
        }
    }

private:
    int m_fd = -1;
};

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
};

Pipe make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw_errno("pipe2", errno);
    }
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_non_blocking(const Descriptor& descriptor) { ::fcntl(descriptor.get(), F_SETFL, O_NONBLOCK); }

std::vector<char*> pointers(std::vector<std::string>& strings)
{
    std::vector<char*> result;
    result.reserve(strings.size() + 1);
    for (std::string& string : strings) {
        result.push_back(string.data());
    }
    result.push_back(nullptr);
    return result;
}

// What posix_spawn does in the child before the program runs.
class FileActions {
public:
    FileActions() { ::posix_spawn_file_actions_init(&m_actions); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&m_actions); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    FileActions(FileActions&&) = delete;
    FileActions& operator=(FileActions&&) = delete;
    posix_spawn_file_actions_t* get() { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

class Attributes {
public:
    // A process group of its own, so that a timeout kills all of it; signals as at login, since a test
    // runner may ignore some.
    Attributes()
    {
        ::posix_spawnattr_init(&m_attributes);
        sigset_t signals;
        sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&m_attributes, &signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) {
            sigaddset(&signals, signal);
        }
        ::posix_spawnattr_setsigdefault(&m_attributes, &signals);
        ::posix_spawnattr_setpgroup(&m_attributes, 0);
        ::posix_spawnattr_setflags(&m_attributes,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Attributes() { ::posix_spawnattr_destroy(&m_attributes); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    Attributes(Attributes&&) = delete;
    Attributes& operator=(Attributes&&) = delete;
    posix_spawnattr_t* get() { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

pid_t spawn(const Command& command, const Descriptor& in, const Descriptor& out, const Descriptor& err)
{
    FileActions actions;
    if (!command.directory.empty()) {
        ::posix_spawn_file_actions_addchdir_np(actions.get(), command.directory.c_str());
    }
    ::posix_spawn_file_actions_adddup2(actions.get(), in.get(), STDIN_FILENO);
    if (command.output_path.empty()) {
        ::posix_spawn_file_actions_adddup2(actions.get(), out.get(), STDOUT_FILENO);
    } else {
        ::posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, command.output_path.c_str(), O_WRONLY, 0);
    }
    ::posix_spawn_file_actions_adddup2(actions.get(), err.get(), STDERR_FILENO);
    for (const int descriptor : command.closed_descriptors) {
        ::posix_spawn_file_actions_addclose(actions.get(), descriptor);
    }

    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment;
    for (const auto& [name, value] : command.environment) {
        environment.push_back(name);
        environment.back().append("=").append(value);
    }
    Attributes attributes;
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, command.arguments.at(0).c_str(), actions.get(), attributes.get(),
                                     pointers(arguments).data(), pointers(environment).data());
    if (error != 0) {
        throw_errno("cannot start '" + command.arguments[0] + "'", error);
    }
    return pid;
}

// Reads what is there now. Closes the descriptor at its end.
void drain(Descriptor& from, std::string& into)
{
    std::array<char, 16384> buffer{};
    while (from.is_open()) {
        const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
        if (got > 0) {
            into.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else {
            from.reset();
        }
    }
}

}  // namespace

struct Background::State {
    pid_t pid = -1;
    Descriptor pidfd;
    Descriptor in;
    Descriptor out;
    Descriptor err;
    std::string input;
    std::size_t fed = 0;  // bytes of it; taking them off its front would move the rest for each piece
    Clock::time_point deadline;
    Outcome outcome;
    bool ended = false;

    void feed()
    {
        while (in.is_open() && fed < input.size()) {
            const ssize_t wrote = ::write(in.get(), input.data() + fed, input.size() - fed);
            if (wrote >= 0) {
                fed += static_cast<std::size_t>(wrote);
            } else if (errno == EAGAIN) {
                return;
            } else if (errno != EINTR) {
                break;  // the program does not read it
            }
        }
        in.reset();
    }

    void reap()
    {
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        ended = true;
        if (WIFEXITED(status)) {
            outcome.exit_code = WEXITSTATUS(status);
        } else if (WIFSIGNALED(status)) {
            outcome.signal = WTERMSIG(status);
        }
    }

    void kill_all() const { ::kill(-pid, SIGKILL); }

    // One round of waiting for anything to happen, then doing it.
    void step()
    {
        std::array<pollfd, 4> watched{pollfd{in.is_open() && fed < input.size() ? in.get() : -1, POLLOUT, 0},
                                      pollfd{out.get(), POLLIN, 0}, pollfd{err.get(), POLLIN, 0},
                                      pollfd{pidfd.get(), POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(std::max<long>(left, 0)));
        if (ready == 0) {
            outcome.timed_out = true;
            kill_all();
        }
        if (watched[0].revents != 0) {
            feed();
        }
        if (ready == 0 || watched[3].revents != 0) {
            reap();
        }
        drain(out, outcome.out);
        drain(err, outcome.err);
    }
};

Background::Background(const Command& command) : m_state(std::make_unique<State>())
{
    // A program that does not read its input must not end the test with SIGPIPE.
    [[maybe_unused]] static const auto ignored = ::signal(SIGPIPE, SIG_IGN);

    Pipe in = make_pipe();
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    m_state->deadline = Clock::now() + std::min(command.timeout, std::chrono::milliseconds(60'000));
    m_state->pid = spawn(command, in.read_end, out.write_end, err.write_end);
    m_state->pidfd = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, m_state->pid, 0)));
    if (!m_state->pidfd.is_open()) {
        throw_errno("pidfd_open", errno);
    }
    m_state->in = std::move(in.write_end);
    m_state->out = std::move(out.read_end);
    m_state->err = std::move(err.read_end);
    m_state->input = command.input;
    make_non_blocking(m_state->in);
    make_non_blocking(m_state->out);
    make_non_blocking(m_state->err);
    m_state->feed();
}

Background::~Background()
{
    if (m_state && m_state->pid > 0 && !m_state->ended) {
        m_state->kill_all();
        m_state->reap();
    }
}

Background::Background(Background&&) noexcept = default;

Background& Background::operator=(Background&& other) noexcept
{
    std::swap(m_state, other.m_state);
    return *this;
}

pid_t Background::pid() const { return m_state->pid; }

void Background::kill(int signal) const
{
    if (!m_state->ended) {
        ::kill(m_state->pid, signal);
    }
}

void Background::wait_for_output(const std::string& text)
{
    const auto is_there = [&] {
        return m_state->outcome.out.find(text) != std::string::npos ||
               m_state->outcome.err.find(text) != std::string::npos;
    };
    while (!is_there()) {
        if (m_state->ended) {
            throw std::runtime_error("the program ended without printing '" + text + "'");
        }
        m_state->step();
    }
}

Outcome Background::wait()
{
    while (!m_state->ended) {
        m_state->step();
    }
    return m_state->outcome;
}

Outcome run(const Command& command) { return Background(command).wait(); }

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome)
{
    if (outcome.timed_out) {
        stream << "timed out";
    } else if (outcome.signal != 0) {
        stream << "signal " << outcome.signal;
    } else {
        stream << "exit " << outcome.exit_code;
    }
    return stream << "\n--- stdout\n" << outcome.out << "--- stderr\n" << outcome.err;
}

}  // namespace mandate::test
