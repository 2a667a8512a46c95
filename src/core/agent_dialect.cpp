#include "core/agent_dialect.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace mandate::core {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> k_shell_tools{"Bash", "shell", "local_shell", "exec_command"};
constexpr std::array<std::string_view, 11> k_file_keys{"file_path", "notebook_path", "path",         "filePath",
                                                       "filepath",  "file_name",     "filename",     "target_file",
                                                       "source",    "destination",   "relative_path"};
constexpr std::array<std::string_view, 4> k_patch_marks{
    "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};

const Json* find(const Json& object, std::string_view key)
{
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

std::optional<std::string> text_of(const Json* value)
{
    return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

// A command comes as text, or as a list of words such as ["bash", "-lc", "git push"].
std::optional<std::string> command_of(const Json& input)
{
    const Json* command = find(input, "command");
    command = command == nullptr ? find(input, "cmd") : command;
    if (command == nullptr || command->is_string()) {
        return text_of(command);
    }
    if (!command->is_array() || command->empty() ||
        !std::all_of(command->begin(), command->end(), [](const Json& word) { return word.is_string(); })) {
        return std::nullopt;
    }
    const std::string option = command->size() == 3 ? (*command)[1].get<std::string>() : std::string();
    const std::string program = (*command)[0].get<std::string>();
    const bool shell = program.ends_with("sh") && program.find("pwsh") == std::string::npos;
    if (shell && (option == "-c" || option == "-lc")) {
        return (*command)[2].get<std::string>();
    }
    std::string line;
    for (const Json& word : *command) {
        std::string quoted = "'";
        for (const char c : word.get<std::string>()) {
            quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
        line += (line.empty() ? "" : " ") + quoted + "'";
    }
    return line;
}

void add_patched_files(const std::string& patch, std::vector<std::string>& files)
{
    std::size_t start = 0;
    while (start < patch.size()) {
        const std::size_t end = std::min(patch.find('\n', start), patch.size());
        const std::string_view line = text::trim(std::string_view(patch).substr(start, end - start));  // as hosts do
        for (const std::string_view mark : k_patch_marks) {
            if (line.rfind(mark, 0) == 0) {
                files.emplace_back(line.substr(mark.size()));
            }
        }
        start = end + 1;
    }
}

}  // namespace

std::optional<AgentHost> parse_agent_host(std::string_view word)
{
    if (word == "claude") {
        return AgentHost::claude;
    }
    return word == "codex" ? std::optional(AgentHost::codex) : std::nullopt;
}

std::optional<ToolCall> parse_tool_call(std::string_view json)
{
    if (json.size() > k_tool_call_limit) {
        return std::nullopt;
    }
    const Json call = Json::parse(json, nullptr, false);
    if (call.is_discarded() || !call.is_object()) {
        return std::nullopt;
    }
    const auto tool = text_of(find(call, "tool_name"));
    const Json* input = find(call, "tool_input");
    if (!tool || input == nullptr || !input->is_object()) {
        return std::nullopt;
    }
    ToolCall out;
    out.directory = text_of(find(call, "cwd")).value_or("");
    if (const auto moved = text_of(find(*input, "workdir")); moved && !moved->empty()) {
        out.directory = (*moved)[0] == '/' || out.directory.empty() ? *moved : out.directory + "/" + *moved;
    }
    const bool runs_shell = std::find(k_shell_tools.begin(), k_shell_tools.end(), *tool) != k_shell_tools.end();
    if (*tool == "apply_patch") {
        const auto patch = command_of(*input);
        if (!patch) {
            return std::nullopt;
        }
        add_patched_files(*patch, out.files);
        return out;
    }
    if (runs_shell) {
        out.runs_shell = true;
        out.command = command_of(*input);
        return out.command ? std::optional(out) : std::nullopt;
    }
    // A tool that only reads carries the same key; a guarded file is not to be written, and reading tools are
    // known by name.
    constexpr std::array<std::string_view, 5> k_readers{"Read", "Grep", "Glob", "LS", "NotebookRead"};
    if (std::find(k_readers.begin(), k_readers.end(), *tool) == k_readers.end()) {
        for (const std::string_view key : k_file_keys) {
            if (auto file = text_of(find(*input, key))) {
                out.files.push_back(std::move(*file));
            }
        }
        out.command = command_of(*input);  // a shell by a name that is not known here
    }
    return out;
}

std::string_view name(AgentDecision decision)
{
    constexpr std::array<std::string_view, 4> k_names{"none", "allow", "ask", "deny"};
    return k_names[static_cast<std::size_t>(decision)];
}

std::string render_decision(AgentHost host, AgentDecision decision, const std::string& reason)
{
    const bool asks = host == AgentHost::claude;
    if (decision == AgentDecision::no_opinion || (!asks && decision == AgentDecision::allow)) {
        return {};
    }
    const char* word = decision == AgentDecision::allow         ? "allow"
                       : decision == AgentDecision::ask && asks ? "ask"
                                                                : "deny";
    const Json answer = {
        {"hookSpecificOutput",
         {{"hookEventName", "PreToolUse"}, {"permissionDecision", word}, {"permissionDecisionReason", reason}}}};
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mandate::core
