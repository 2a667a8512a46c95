#include "app/revision.hpp"

#include "git/repository.hpp"

#include <utility>

namespace mandate::app {

Result<std::string> resolve_commit(const Place& place, const std::string& revision)
{
    const auto repository = git::Repository::open(place.root);
    if (!repository) {
        return fail(repository.error());
    }
    return repository->resolve_commit(revision);
}

}  // namespace mandate::app
