// The folder that git takes hooks from in one worktree, opened once: which state each hook file is in there, and the
// single changes that installing and uninstalling are made of.
//
// Every change is one file made whole and then renamed, a rename or a removal, so a process that is killed leaves the
// old state or the new one. A folder that is missing is made one level deep, carries a mark, and goes with its hooks.
// Fails with value-invalid (the folder belongs to the branch or to a hook manager), read-only, write-failed, lock-held.
#pragma once

#include "app/hook_files.hpp"
#include "app/hooks_directory.hpp"
#include "os/fd.hpp"

#include <string>

namespace mandate::app {

class HookFolder {
public:
    static Result<HookFolder> open(const Lane& lane);

    // Made where it is missing, never in the worktree: it would be a change of the branch. Then locked.
    Result<void> prepare_to_write();
    // Until this object goes: two that change the hooks take turns.
    Result<void> lock();
    // A folder that was made for the hooks goes with them, unless somebody has put something into it since.
    void remove_made_folder();

    [[nodiscard]] HookRow look(core::Hook hook) const;
    // Ours in its place; `keeps_other`: what stands there is renamed first, to go on running.
    Result<void> put(core::Hook hook, bool keeps_other);
    // Ours goes, and what was kept beside it comes back.
    Result<void> take_out(const HookRow& row);

    [[nodiscard]] HookReport report() const { return {m_found.path, m_found.origin, {}}; }
    [[nodiscard]] bool exists() const { return m_directory.valid(); }
    [[nodiscard]] const std::string& binary() const { return m_binary; }  // "": this program's own path is not known

private:
    explicit HookFolder(HooksDirectory found) : m_found(std::move(found)) {}
    [[nodiscard]] std::string wanted(core::Hook hook) const;
    Result<void> make();
    Result<void> move(const std::string& from, const std::string& to);

    HooksDirectory m_found;
    os::Fd m_directory;  // not valid: there is none
    std::string m_binary;
    bool m_pass_when_gone = false;
};

}  // namespace mandate::app
