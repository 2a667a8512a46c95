// Extended attributes that a replaced file keeps: the access ACL and user.* (xattr(7)).
#pragma once

#include "os/fd.hpp"

namespace mandate::os {

// Takes away what a new file inherited from its directory's default ACL. Nothing where there is no ACL, or
// where the file system has none.
OsResult<void> drop_acl(const Fd& file);

// Both best effort: a file system without room or support for them keeps none.
void carry_acl(const Fd& source, const Fd& target);
void carry_user_attributes(const Fd& source, const Fd& target);

}  // namespace mandate::os
