// `spend` and `refund`: further budgets of the record, under the same lock and rules as review rounds.

#include "core/budgets.hpp"

#include "base/text.hpp"
#include "cli/commands/support.hpp"
#include "cli/commands/verbs.hpp"
#include "cli/words.hpp"
#include "core/verdict.hpp"

#include <utility>

namespace mandate::cli {

namespace {

class BudgetVerb : public BookingVerb {
protected:
    void declare_amount(Arguments& arguments)
    {
        arguments.words(m_words);
        arguments.option("--amount", "N", m_amount_text, "how much; default 1");
    }
    [[nodiscard]] std::string directory_word() const override { return {}; }
    Result<void> check_arguments() override
    {
        const std::string hint = "name one budget; find the lane with -C or --branch";
        if (m_words.empty()) {
            return fail(Code::usage, "there is no budget on the command line", hint);
        }
        if (m_words.size() > 1) {
            return too_many(m_words[1], hint);
        }
        m_request.name = m_words[0];
        if (m_amount_text) {
            auto amount = number_option("--amount", *m_amount_text, 1);
            if (!amount) {
                return fail(std::move(amount.error()));
            }
            m_request.amount = *amount;
        }
        return {};
    }
    core::SpendRequest m_request;

private:
    std::optional<std::string> m_amount_text;
};

constexpr Manual k_spend{
    "spend", "NAME", "consume from the budget NAME",
    "All of the amount or nothing of it: spend_authorized=yes or no (exit 0; with --strict exit 1), budget=,\n"
    "used=, left=. With --token T a retry of the same call is answered again and charges nothing. A NAME\n"
    "that the record lacks is exit 2 unknown-budget.",
    "mandate spend spawn --strict && ./start-helper.sh"};

class SpendVerb final : public BudgetVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_spend; }
    void declare(Arguments& arguments) override
    {
        declare_amount(arguments);
        arguments.option("--token", "T", m_token, "a name for this call: asked again with it, the answer is the same");
        arguments.flag("--strict", m_strict, "exit 1 when the budget does not hold it");
    }

protected:
    Result<void> check_arguments() override
    {
        auto token = token_option(m_token);
        if (!token) {
            return fail(std::move(token.error()));
        }
        m_request.token = std::move(*token);
        return BudgetVerb::check_arguments();
    }
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        if (core::is_expired(*snapshot.record, snapshot.now)) {
            return fail(app::expired(*snapshot.record));
        }
        return core::plan_spend(*snapshot.record, m_request);
    }

private:
    std::optional<std::string> m_token;
};

constexpr Manual k_refund{"refund", "NAME", "give back to the budget NAME",
                          "Never below 0. Prints refunded=, budget=, used=, left=.", "mandate refund spawn"};

class RefundVerb final : public BudgetVerb {
public:
    [[nodiscard]] const Manual& manual() const override { return k_refund; }
    void declare(Arguments& arguments) override { declare_amount(arguments); }

protected:
    Result<core::Plan> decide(const app::Snapshot& snapshot) override
    {
        return core::plan_refund(*snapshot.record, m_request);
    }
};

}  // namespace

std::unique_ptr<Verb> make_spend() { return std::make_unique<SpendVerb>(); }
std::unique_ptr<Verb> make_refund() { return std::make_unique<RefundVerb>(); }

}  // namespace mandate::cli
