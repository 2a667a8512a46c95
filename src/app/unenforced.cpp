#include "app/unenforced.hpp"

#include "base/text.hpp"

#include <utility>

namespace mandate::app {

Counted count_unenforced(Ledger& ledger, LedgerEntry context, const core::LetThrough& what, Sync sync)
{
    const std::string_view code = core::info(what.reason).name;
    context.event = "unenforced";
    context.fields = {{"reason", std::string(code)}};
    if (!what.detail.empty()) {
        context.fields.emplace_back("detail", what.detail);
    }
    context.fields.insert(context.fields.end(), what.fields.begin(), what.fields.end());

    Counted counted;
    counted.answer.add("enforced", false).because(code, what.detail);
    if (const auto appended = ledger.append(context, sync); !appended) {
        counted.answer.add("ledger", "unwritable");
        counted.note =
            "went unenforced (" + std::string(code) + ") and could not be counted: " + appended.error().message;
    }
    return counted;
}

}  // namespace mandate::app
