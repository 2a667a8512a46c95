#include "app/lane.hpp"

#include "app/unenforced.hpp"

#include <utility>

namespace mandate::app {

namespace {

Unexpected no_lane(const std::string& branch)
{
    return fail(Error{Code::no_lane,
                      "no worktree holds the branch",
                      "check it out in a worktree, or leave --branch out",
                      {},
                      branch});
}

}  // namespace

core::Answer Lane::head_of_answer() const
{
    core::Answer answer;
    answer.add("lane", place.root);
    answer.add("lane_source", by_branch ? "branch" : "cwd");
    return answer;
}

Result<Lane> open_lane(const LaneRequest& request)
{
    auto place = find_place(request.directory);
    if (!place) {
        return fail(std::move(place.error()));
    }
    Lane lane{std::move(*place), {}, false, false, {}, {}};
    if (request.branch && !request.branch->empty()) {
        auto entry = find_branch(lane.place, *request.branch);
        if (!entry) {
            return fail(std::move(entry.error()));
        }
        if (*entry) {
            auto other = open_worktree(**entry);
            if (!other) {
                return fail(std::move(other.error()));
            }
            lane.place = std::move(*other);
            lane.by_branch = true;
        } else if (request.booking) {
            return no_lane(*request.branch);
        } else {
            lane.fell_back = true;
            lane.missing_branch = *request.branch;
        }
    }
    // A layer that is not valid is left out alone: an action that another one declares stays a word of the record.
    auto settings = load_settings(&lane.place, request.needs_settings ? OnInvalid::refuse : OnInvalid::note);
    if (!settings) {
        return fail(in_lane(std::move(settings.error()), lane));
    }
    lane.settings = std::move(*settings);
    lane.notes = lane.settings.notes;
    return lane;
}

Error in_lane(Error error, const Lane& lane)
{
    std::vector<std::pair<std::string, std::string>> details{{"lane", lane.place.root},
                                                             {"lane_source", lane.by_branch ? "branch" : "cwd"}};
    details.insert(details.end(), error.details.begin(), error.details.end());
    error.details = std::move(details);
    return error;
}

}  // namespace mandate::app
