// What went unenforced since the last `ack`, by reason: how often, and when last. A pure fold over ledger lines
// in file order, and the same count as LedgerState::unenforced, with the times that a checkpoint does not keep.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mandate::core {

struct LedgerLine;

struct UnenforcedRow {
    std::string reason;  // escaped text, one word; not always of the closed list: the line may be another program's
    std::uint64_t count = 0;
    std::string last;  // time of the newest line; empty where that is no time
    bool benign = false;
};

// A row is words with blanks between them, so a blank in a word would forge the next one: it becomes \\x20.
std::string one_word(std::string text);

class UnenforcedTally {
public:
    void apply(const LedgerLine& line);

    // In the order of the closed list, what it does not know after that by name.
    [[nodiscard]] std::vector<UnenforcedRow> rows() const;

private:
    struct Seen {
        std::uint64_t count = 0;
        std::string last;
    };
    std::map<std::string, Seen> m_seen;
};

// Counts by benign or not. A reason outside of the closed list is not benign: nobody knows what it was.
struct UnenforcedTotals {
    std::uint64_t serious = 0;
    std::uint64_t benign = 0;
};
UnenforcedTotals totals(const std::map<std::string, std::uint64_t>& by_reason);

}  // namespace mandate::core
