// What the process was given: variables, ids, the current directory, terminals. No setters.
#pragma once

#include "os/fd.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mandate::os {

std::optional<std::string> variable(const std::string& name);  // empty counts as set
unsigned effective_user();
int process_id();
OsResult<std::string> current_directory();    // ENOENT where it was deleted
std::optional<std::string> home_directory();  // $HOME, only when absolute
bool is_terminal(int descriptor);
int terminal_width(int descriptor);            // columns; 80 where the kernel does not say
std::optional<std::string> executable_path();  // /proc/self/exe; nothing where that file is gone

// stdout and stderr in one piece; EPIPE, ENOSPC and EBADF come back as they are.
OsResult<void> write_stdout(std::string_view bytes);
void write_stderr(std::string_view bytes);

// For the line about waiting, which may rather be lost than hold anything up: where nobody reads a full pipe,
// nothing is written. At most PIPE_BUF (4096) bytes.
void write_stderr_unless_blocked(std::string_view bytes);

}  // namespace mandate::os
