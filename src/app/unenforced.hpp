// The only way past a check: append `event=unenforced` first, then say so in the answer.
//
// `enforced=no` is printed by this file and by no other, so whatever lets something go ahead unchecked
// must come through here and is counted. Where even that cannot be written, the answer says
// `ledger=unwritable` and so does stderr: the caller passes `Counted::note` on.
#pragma once

#include "app/ledger.hpp"
#include "core/answer.hpp"
#include "core/plan.hpp"

#include <optional>
#include <string>

namespace mandate::app {

struct [[nodiscard]] Counted {
    core::Answer answer;              // enforced=no, reason=<code> ..., ledger=unwritable
    std::optional<std::string> note;  // a sentence for stderr when the ledger could not be written
};

// `context` gives task, head and record of the line; its event and fields are set here.
Counted count_unenforced(Ledger& ledger, LedgerEntry context, const core::LetThrough& what, Sync sync = Sync::yes);

}  // namespace mandate::app
