// What a booking's decision wants done: pure data, carried out by app/booking and by nothing else.
#pragma once

#include "core/answer.hpp"
#include "core/ledger_line.hpp"
#include "core/record.hpp"
#include "core/unenforced.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mandate::core {

// Something that goes ahead unchecked, to be counted before it does.
struct LetThrough {
    Unenforced reason;
    std::string detail;   // for the ledger and the answer's reason line; may be empty
    LedgerFields fields;  // what else the line should hold
};

struct Plan {
    std::string event;    // of the ledger; "" for a replay: nothing is written anywhere
    LedgerFields fields;  // raw text
    std::vector<Edit> edits;
    std::optional<std::string> new_record;  // `init`: the whole file instead of edits,
    std::optional<std::string> new_task;    // and its task
    bool writes_record = true;              // false: only the line is appended (`refused`)
    std::vector<LetThrough> unenforced;
    Answer answer;
    bool decided_no = false;  // the answer is a no; --strict makes it exit 1
    std::string advice;       // a sentence for stderr with a decided no
};

}  // namespace mandate::core
