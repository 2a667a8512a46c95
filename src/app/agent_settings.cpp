#include "app/agent_settings.hpp"

#include "base/text.hpp"
#include "core/agent_settings.hpp"
#include "os/env.hpp"
#include "os/replace.hpp"

#include <cerrno>
#include <optional>
#include <utility>

namespace mandate::app {

namespace {

constexpr const char* k_folder = ".claude";
constexpr const char* k_file = "settings.local.json";
constexpr const char* k_before = "settings.local.json.before-mandate";
constexpr const char* k_temporary_prefix = "settings.local.json.mandate-tmp.";
constexpr std::size_t k_limit = 4U << 20U;

class HostSettings {
public:
    explicit HostSettings(const Lane& lane) : m_lane(lane) {}

    Result<void> open(bool create);
    Result<AgentSettings> install();
    Result<AgentSettings> uninstall();
    [[nodiscard]] AgentSettings report(bool changed) const
    {
        return {path(), m_content && core::has_agent_hook(*m_content), changed};
    }

private:
    [[nodiscard]] std::string path() const { return m_lane.place.root + "/" + k_folder + "/" + k_file; }
    [[nodiscard]] Unexpected failure(const std::string& what, const os::Errno& cause) const
    {
        const Code code = cause == EROFS ? Code::read_only : Code::write_failed;
        return fail(Error{code, what + ": " + cause.text(), "check the folder's permissions", {}, path()});
    }
    [[nodiscard]] Unexpected not_understood() const
    {
        return fail(Error{Code::value_invalid,
                          "the host's settings are no JSON object",
                          "mend the file, then try again",
                          {},
                          path()});
    }
    Result<void> write(const char* name, const std::string& bytes) const;

    const Lane& m_lane;
    os::Fd m_folder;
    std::optional<std::string> m_content;  // none: there is no file
    std::optional<os::FileFacts> m_facts;
};

Result<void> HostSettings::open(bool create)
{
    auto folder = os::open_directory_at(m_lane.place.root_dir, k_folder);
    if (!folder && folder.error() == ENOENT) {
        if (!create) {
            return {};
        }
        const auto made = os::make_directory(m_lane.place.root_dir, k_folder);
        folder = made ? os::open_directory_at(m_lane.place.root_dir, k_folder) : tl::unexpected(made.error());
    }
    if (!folder) {
        return failure("cannot open the folder of the host's settings", folder.error());
    }
    m_folder = std::move(*folder);
    const auto file = os::open_for_reading(m_folder, k_file);
    if (!file && file.error() == ENOENT) {
        return {};
    }
    const auto facts = file ? os::facts(*file) : tl::unexpected(file.error());
    auto content = facts && facts->kind == os::Kind::regular
                       ? os::read_whole(*file, k_limit, facts->identity.size)
                       : tl::unexpected(os::Errno{facts ? EINVAL : facts.error().value});
    if (!content) {
        return failure("cannot read the host's settings", content.error());
    }
    m_facts = *facts;
    m_content = std::move(*content);
    return {};
}

Result<void> HostSettings::write(const char* name, const std::string& bytes) const
{
    auto replacement = os::Replacement::prepare(m_folder, k_temporary_prefix, bytes, m_facts);
    if (!replacement) {
        return failure("cannot write the host's settings", replacement.error());
    }
    if (const auto committed = replacement->commit(name); !committed) {
        return failure("cannot write the host's settings", committed.error());
    }
    return {};
}

Result<AgentSettings> HostSettings::install()
{
    const auto binary = os::executable_path();
    const std::string command = text::shell_quote(binary.value_or("mandate")) + " hook agent --host claude";
    const auto changed = core::with_agent_hook(m_content.value_or(""), command);
    if (!changed) {
        return not_understood();
    }
    if (m_content && *changed == *m_content) {
        return report(false);
    }
    if (m_content && !core::has_agent_hook(*m_content)) {
        if (auto kept = write(k_before, *m_content); !kept) {
            return fail(std::move(kept.error()));
        }
    }
    if (auto written = write(k_file, *changed); !written) {
        return fail(std::move(written.error()));
    }
    m_content = *changed;
    return report(true);
}

Result<AgentSettings> HostSettings::uninstall()
{
    if (!m_content) {
        return report(false);
    }
    auto rest = core::without_agent_hook(*m_content);
    if (!rest) {
        return not_understood();
    }
    if (*rest == *m_content) {
        return report(false);
    }
    // Where the file says what it said before, its own bytes come back, white space and all.
    const auto before = os::read_small_file(m_folder, k_before, k_limit);
    if (before &&
        core::without_agent_hook(core::with_agent_hook(*before, "x hook agent --host claude").value_or("")) == *rest) {
        rest = *before;
    }
    if (rest->empty()) {
        if (const auto removed = os::unlink(m_folder, k_file); !removed) {
            return failure("cannot remove the host's settings", removed.error());
        }
        m_content.reset();
    } else if (auto written = write(k_file, *rest); !written) {
        return fail(std::move(written.error()));
    } else {
        m_content = *rest;
    }
    (void)os::unlink(m_folder, k_before);
    if (!m_content) {
        // Empty, it is nothing to git or to the host; with anything in it, this fails and it stays.
        (void)os::remove_directory(m_lane.place.root_dir, k_folder);
    }
    return report(true);
}

}  // namespace

Result<AgentSettings> install_agent_hook(const Lane& lane)
{
    HostSettings settings(lane);
    return settings.open(true).and_then([&] { return settings.install(); });
}

Result<AgentSettings> uninstall_agent_hook(const Lane& lane)
{
    HostSettings settings(lane);
    return settings.open(false).and_then([&] { return settings.uninstall(); });
}

Result<AgentSettings> inspect_agent_hook(const Lane& lane)
{
    HostSettings settings(lane);
    return settings.open(false).map([&] { return settings.report(false); });
}

}  // namespace mandate::app
