// One maker for each verb, defined in the file of its verb; the table of names is verbs.cpp.
#pragma once

#include "cli/verb.hpp"

#include <memory>

namespace mandate::cli {

std::unique_ptr<Verb> make_path();
std::unique_ptr<Verb> make_lane();
std::unique_ptr<Verb> make_show();
std::unique_ptr<Verb> make_allows();
std::unique_ptr<Verb> make_init();
std::unique_ptr<Verb> make_grant();
std::unique_ptr<Verb> make_revoke();
std::unique_ptr<Verb> make_extend();
std::unique_ptr<Verb> make_rebind();
std::unique_ptr<Verb> make_spend();
std::unique_ptr<Verb> make_refund();
std::unique_ptr<Verb> make_round();
std::unique_ptr<Verb> make_cancel();
std::unique_ptr<Verb> make_reviewed();
std::unique_ptr<Verb> make_fixed();
std::unique_ptr<Verb> make_acknowledged();
std::unique_ptr<Verb> make_gate();
std::unique_ptr<Verb> make_next();
std::unique_ptr<Verb> make_log();
std::unique_ptr<Verb> make_report();
std::unique_ptr<Verb> make_unenforced();
std::unique_ptr<Verb> make_check();
std::unique_ptr<Verb> make_verify();
std::unique_ptr<Verb> make_hook();
std::unique_ptr<Verb> make_hooks();
std::unique_ptr<Verb> make_close_check();
std::unique_ptr<Verb> make_close_request();
std::unique_ptr<Verb> make_lanes();
std::unique_ptr<Verb> make_doctor();
std::unique_ptr<Verb> make_actions();
std::unique_ptr<Verb> make_presets();
std::unique_ptr<Verb> make_codes();
std::unique_ptr<Verb> make_config();
std::unique_ptr<Verb> make_completion();

}  // namespace mandate::cli
