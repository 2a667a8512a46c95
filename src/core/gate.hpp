// Is the lane done, and what comes next? The pure decisions behind `gate`, `next` and the closing of a lane.
//
// They look at the record and at what git says (GateFacts), never at git itself. What git says costs time,
// so a decision names the one fact that it looks at next (`wanted`), and who gathers facts gets no others.
// A fact that is missing, or that nobody can tell, is never a yes.
#pragma once

#include "core/answer.hpp"
#include "core/record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mandate::core {

enum class Certainty { yes, no, unknown };

struct GateFacts {
    struct Told {
        Certainty answer = Certainty::unknown;
        std::string name;  // of the branch that was asked, "origin/main"; empty: there is none
        std::string why;   // unknown, or no branch: what stands in the way, for a person
    };
    std::string head;                 // commit at HEAD, "" where there is none yet
    std::optional<Told> same_change;  // is the change at HEAD the one at settled_commit()?
    std::optional<Told> upstream;     // does the upstream hold HEAD?
    std::optional<Told> integration;  // does the integration branch hold HEAD, or is it named by --merged-head?
};

struct GateRules {
    bool fixes_need_review = false;  // `fixed` alone settles nothing
};

enum class Question { gate, next };
enum class GateFact { same_change, upstream, integration };

// The fact that answering looks at next and that `facts` lacks; nothing when all is there.
std::optional<GateFact> wanted(Question question, const Record& record, const GateRules& rules, const GateFacts& facts);

// The commit at which the newest round left the lane settled; "" where the record names none.
std::string settled_commit(const Record& record);

struct GateVerdict {
    bool met = false;
    std::vector<Answer::Reason> reasons;  // one for each unmet condition; codes as in section "Gate" of the manual
    std::vector<std::string> residual;    // fixes-unreviewed, unbooked-review: what a yes leaves open
};
GateVerdict decide_gate(const Record& record, const GateRules& rules, const GateFacts& facts);

// run-review, fix, review, re-review, acknowledge, push, merge, done: the first that applies. A lane that the
// integration branch holds already is never told to push or to merge again.
struct NextStep {
    std::string_view step;
    Answer::Reason reason;  // a code of the gate's, or gate-met, budget-spent
};
NextStep decide_next(const Record& record, const GateRules& rules, const GateFacts& facts);

}  // namespace mandate::core
