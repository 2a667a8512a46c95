#include "os/fs_type.hpp"

#include "os/platform.hpp"
#include "os/system_call.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

namespace mandate::os {

namespace {

struct Magic {
    std::uint32_t number;
    const char* name;
};

// statfs(2) and the kernel's linux/magic.h, which lacks some of them. ext2, ext3 and ext4 share one number,
// as do all FUSE file systems and virtiofs.
constexpr std::array k_known{
    Magic{0x0000EF53, "ext4"},     Magic{0x58465342, "xfs"},      Magic{0x9123683E, "btrfs"},
    Magic{0x01021994, "tmpfs"},    Magic{0x794C7630, "overlay"},  Magic{0x00006969, "nfs"},
    Magic{0x01021997, "9p"},       Magic{0x65735546, "fuse"},     Magic{0xFF534D42, "cifs"},
    Magic{0xFE534D42, "smb2"},     Magic{0x0000517B, "smb"},      Magic{0x00C36400, "ceph"},
    Magic{0x0BD00BD0, "lustre"},   Magic{0x47504653, "gpfs"},     Magic{0x19830326, "beegfs"},
    Magic{0x20030528, "orangefs"}, Magic{0xAAD7AAEA, "panfs"},    Magic{0x5346414F, "afs"},
    Magic{0x73757245, "coda"},     Magic{0x786F4256, "vboxsf"},   Magic{0xBACBACBC, "vmhgfs"},
    Magic{0x2FC12FC1, "zfs"},      Magic{0xCA451A4E, "bcachefs"}, Magic{0xF2F52010, "f2fs"},
    Magic{0x3153464A, "jfs"},      Magic{0x52654973, "reiserfs"}, Magic{0x00003434, "nilfs2"},
    Magic{0x2011BAB0, "exfat"},    Magic{0x00004D44, "vfat"},     Magic{0x5346544E, "ntfs"},
    Magic{0x7366746E, "ntfs3"},    Magic{0x0000482B, "hfsplus"},  Magic{0x0000F15F, "ecryptfs"},
    Magic{0x73717368, "squashfs"}, Magic{0xE0F5E1E2, "erofs"},    Magic{0x00009660, "iso9660"},
    Magic{0x15013346, "udf"},      Magic{0x858458F6, "ramfs"},    Magic{0x00009FA0, "proc"},
};

}  // namespace

std::string file_system_name(const Fd& file)
{
    struct statfs status {};
    if (retried([&] { return ::fstatfs(file.get(), &status); }) == -1) {
        return "an unknown file system";
    }
#if defined(__APPLE__)
    return status.f_fstypename;
#else
    // f_type is signed on some machines: only its 32 bits count.
    const auto number = static_cast<std::uint32_t>(status.f_type);
    for (const Magic& magic : k_known) {
        if (magic.number == number) {
            return magic.name;
        }
    }
    std::array<char, 48> buffer{};
    static_cast<void>(std::snprintf(buffer.data(), buffer.size(), "file system type 0x%x", number));
    return buffer.data();
#endif
}

}  // namespace mandate::os
