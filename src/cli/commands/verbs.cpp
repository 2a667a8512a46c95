#include "cli/commands/verbs.hpp"

namespace mandate::cli {

const std::vector<VerbEntry>& all_verbs()
{
    static const std::vector<VerbEntry> k_verbs{
        {"path", make_path},
        {"lane", make_lane},
        {"show", make_show},
        {"allows", make_allows},
        {"init", make_init},
        {"grant", make_grant},
        {"revoke", make_revoke},
        {"extend", make_extend},
        {"rebind", make_rebind},
        {"spend", make_spend},
        {"refund", make_refund},
        {"round", make_round},
        {"cancel", make_cancel},
        {"reviewed", make_reviewed},
        {"fixed", make_fixed},
        {"acknowledged", make_acknowledged},
        {"gate", make_gate},
        {"next", make_next},
        {"lanes", make_lanes},
        {"doctor", make_doctor},
        {"log", make_log},
        {"report", make_report},
        {"unenforced", make_unenforced},
        {"check", make_check},
        {"verify", make_verify},
        {"hook", make_hook},
        {"hooks", make_hooks},
        {"close-check", make_close_check},
        {"close-request", make_close_request},
        {"actions", make_actions},
        {"presets", make_presets},
        {"codes", make_codes},
        {"config", make_config},
        {"completion", make_completion},
    };
    return k_verbs;
}

}  // namespace mandate::cli
