// `completion`: a shell's script, and what that script asks.

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/complete.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/words.hpp"

#include <algorithm>

namespace mandate::cli {

namespace {

constexpr Manual k_completion{
    "completion", "bash|zsh|fish|words [WORD...]", "the completion script of a shell",
    "Prints the script for bash, zsh or fish; where the package is installed the shell finds it by itself.\n"
    "`words` is what the scripts ask: what may stand in place of the last WORD of the command line `mandate\n"
    "WORD...`, a line each, a tab and a description behind it; `:directories` and `:files` leave it to the shell.",
    "eval \"$(mandate completion bash)\""};

class CompletionVerb final : public Verb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_completion; }
    [[nodiscard]] Uses uses() const override { return Uses::nothing; }
    void declare(Arguments& arguments) override { arguments.words(m_words); }
    Result<Outcome> run(const Globals& /*globals*/) override
    {
        if (!m_words.empty() && m_words[0] == "words") {
            return candidates();
        }
        if (auto checked = at_most(m_words, 1); !checked) {
            return fail(std::move(checked.error()));
        }
        if (m_words.empty()) {
            return fail(Code::usage, "there is no shell on the command line", choices({}, shells()));
        }
        const std::string& shell = m_words[0];
        const auto* script = std::find_if(k_completion_scripts.begin(), k_completion_scripts.end(),
                                          [&](const CompletionScript& each) { return each.shell == shell; });
        if (script == k_completion_scripts.end()) {
            return fail(Code::usage, "there is no completion for " + in_quotes(shell), choices(shell, shells()));
        }
        Outcome outcome;
        outcome.answer.add("shell", shell).add("script", script->text);
        outcome.plain = std::string(script->text);
        return outcome;
    }

private:
    static std::vector<std::string_view> shells()
    {
        std::vector<std::string_view> names;
        for (const CompletionScript& each : k_completion_scripts) {
            names.push_back(each.shell);
        }
        return names;
    }

    [[nodiscard]] Outcome candidates() const
    {
        const Completion completion = complete({m_words.begin() + 1, m_words.end()});
        Outcome outcome;
        std::string lines;
        std::vector<core::Answer> rows;
        for (const Candidate& candidate : completion.candidates) {
            lines += candidate.word + (candidate.help.empty() ? "" : "\t" + text::escape(candidate.help)) + "\n";
            rows.push_back(
                core::Answer().add("word", candidate.word).add("help", core::text_or_absent(candidate.help)));
        }
        lines += completion.directories ? ":directories\n" : "";
        lines += completion.files ? ":files\n" : "";
        outcome.answer.add("directories", completion.directories).add("files", completion.files);
        outcome.answer.rows("words", std::move(rows));
        outcome.plain = std::move(lines);
        return outcome;
    }

    std::vector<std::string> m_words;
};

}  // namespace

std::unique_ptr<Verb> make_completion() { return std::make_unique<CompletionVerb>(); }

}  // namespace mandate::cli
