/* A FUSE file system that hands every call on to a folder, but for the locks and syncs that it breaks on purpose.
 *
 * usage: passthrough FOLDER MOUNT_POINT [--flock=pass|lie|ERRNO] [--fsync=pass|fail|fail-directories]
 *   --flock=lie      every flock succeeds, whoever asks
 *   --flock=ERRNO    every flock fails with it: ENOSYS, EOPNOTSUPP or ENOLCK
 *   --fsync=fail     every fsync fails with EIO; with fail-directories only those of directories
 *
 * It prints "mounted" once it is, stays in the foreground, and ends with the mount or with the process that started it.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int folder;       /* everything is relative to it */
static int flock_result; /* what each flock answers */
static bool fsync_fails, fsync_of_directories_fails;

static const char* inside(const char* path) { return path[1] == '\0' ? "." : path + 1; }

static int result(int value) { return value == -1 ? -errno : 0; }

static void* on_init(struct fuse_conn_info* connection, struct fuse_config* config)
{
    (void)connection;
    config->use_ino = 1;     /* the inode numbers of the folder, so that identity means something */
    config->hard_remove = 1; /* an open file that is removed is gone, not renamed to .fuse_hidden */
    config->nullpath_ok = 1;
    config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
    puts("mounted");
    fflush(stdout);
    return NULL;
}

static int on_getattr(const char* path, struct stat* facts, struct fuse_file_info* file)
{
    return result(file ? fstat((int)file->fh, facts) : fstatat(folder, inside(path), facts, AT_SYMLINK_NOFOLLOW));
}

static int on_readlink(const char* path, char* target, size_t size)
{
    const ssize_t length = readlinkat(folder, inside(path), target, size - 1);
    if (length >= 0) {
        target[length] = '\0';
    }
    return result(length < 0 ? -1 : 0);
}

static int on_mkdir(const char* path, mode_t mode) { return result(mkdirat(folder, inside(path), mode)); }
static int on_unlink(const char* path) { return result(unlinkat(folder, inside(path), 0)); }
static int on_rmdir(const char* path) { return result(unlinkat(folder, inside(path), AT_REMOVEDIR)); }
static int on_symlink(const char* target, const char* path) { return result(symlinkat(target, folder, inside(path))); }

static int on_rename(const char* from, const char* to, unsigned flags)
{
    return result(renameat2(folder, inside(from), folder, inside(to), flags));
}

static int on_link(const char* from, const char* to)
{
    return result(linkat(folder, inside(from), folder, inside(to), 0));
}

static int on_chmod(const char* path, mode_t mode, struct fuse_file_info* file)
{
    return result(file ? fchmod((int)file->fh, mode) : fchmodat(folder, inside(path), mode, 0));
}

static int on_chown(const char* path, uid_t user, gid_t group, struct fuse_file_info* file)
{
    return result(file ? fchown((int)file->fh, user, group)
                       : fchownat(folder, inside(path), user, group, AT_SYMLINK_NOFOLLOW));
}

static int on_utimens(const char* path, const struct timespec times[2], struct fuse_file_info* file)
{
    return result(file ? futimens((int)file->fh, times) : utimensat(folder, inside(path), times, AT_SYMLINK_NOFOLLOW));
}

static int keep(struct fuse_file_info* file, int descriptor)
{
    file->fh = (uint64_t)descriptor;
    return result(descriptor < 0 ? -1 : 0);
}

static int on_create(const char* path, mode_t mode, struct fuse_file_info* file)
{
    return keep(file, openat(folder, inside(path), file->flags | O_CREAT | O_NOFOLLOW, mode));
}

static int on_open(const char* path, struct fuse_file_info* file)
{
    /* The kernel has placed the bytes already: with O_APPEND here, pwrite would place them again. */
    return keep(file, openat(folder, inside(path), (file->flags & ~O_APPEND) | O_NOFOLLOW));
}

static int on_truncate(const char* path, off_t size, struct fuse_file_info* file)
{
    if (file) {
        return result(ftruncate((int)file->fh, size));
    }
    const int descriptor = openat(folder, inside(path), O_WRONLY | O_NOFOLLOW);
    const int done = descriptor < 0 ? -1 : ftruncate(descriptor, size);
    const int answer = result(done);
    close(descriptor);
    return answer;
}

static int on_read(const char* path, char* bytes, size_t size, off_t offset, struct fuse_file_info* file)
{
    (void)path;
    const ssize_t count = pread((int)file->fh, bytes, size, offset);
    return count < 0 ? -errno : (int)count;
}

static int on_write(const char* path, const char* bytes, size_t size, off_t offset, struct fuse_file_info* file)
{
    (void)path;
    const ssize_t count = pwrite((int)file->fh, bytes, size, offset);
    return count < 0 ? -errno : (int)count;
}

static int on_release(const char* path, struct fuse_file_info* file)
{
    (void)path;
    return result(close((int)file->fh));
}

static int on_statfs(const char* path, struct statvfs* facts)
{
    (void)path;
    return result(fstatvfs(folder, facts));
}

static int on_readdir(const char* path, void* list, fuse_fill_dir_t add, off_t offset, struct fuse_file_info* file,
                      enum fuse_readdir_flags flags)
{
    (void)offset, (void)flags;
    DIR* directory = fdopendir(dup((int)file->fh));
    if (!directory) {
        return -errno;
    }
    (void)path;
    rewinddir(directory);
    for (struct dirent* entry = readdir(directory); entry; entry = readdir(directory)) {
        const struct stat facts = {.st_ino = entry->d_ino, .st_mode = (mode_t)DTTOIF(entry->d_type)};
        if (add(list, entry->d_name, &facts, 0, 0) != 0) {
            break;
        }
    }
    return result(closedir(directory));
}

static int on_opendir(const char* path, struct fuse_file_info* file)
{
    return keep(file, openat(folder, inside(path), O_RDONLY | O_DIRECTORY));
}

static int on_fsync(const char* path, int only_data, struct fuse_file_info* file)
{
    (void)path, (void)only_data;
    return fsync_fails ? -EIO : result(fsync((int)file->fh));
}

static int on_fsyncdir(const char* path, int only_data, struct fuse_file_info* file)
{
    (void)path, (void)only_data;
    return fsync_of_directories_fails ? -EIO : result(fsync((int)file->fh));
}

static int on_flock(const char* path, struct fuse_file_info* file, int operation)
{
    (void)path, (void)file, (void)operation;
    return flock_result;
}

static struct fuse_operations operations = {
    .init = on_init,         .getattr = on_getattr, .readlink = on_readlink, .mkdir = on_mkdir,
    .unlink = on_unlink,     .rmdir = on_rmdir,     .symlink = on_symlink,   .rename = on_rename,
    .link = on_link,         .chmod = on_chmod,     .chown = on_chown,       .utimens = on_utimens,
    .create = on_create,     .open = on_open,       .truncate = on_truncate, .read = on_read,
    .write = on_write,       .release = on_release, .statfs = on_statfs,     .opendir = on_opendir,
    .readdir = on_readdir,   .releasedir = on_release, .fsync = on_fsync,    .fsyncdir = on_fsyncdir,
};

static bool understood(const char* option)
{
    static const struct {
        const char* name;
        int number;
    } errors[] = {{"--flock=ENOSYS", ENOSYS}, {"--flock=EOPNOTSUPP", EOPNOTSUPP}, {"--flock=ENOLCK", ENOLCK}};
    for (size_t n = 0; n < sizeof errors / sizeof errors[0]; ++n) {
        if (strcmp(option, errors[n].name) == 0) {
            operations.flock = on_flock;
            flock_result = -errors[n].number;
            return true;
        }
    }
    if (strcmp(option, "--flock=lie") == 0) {
        operations.flock = on_flock;
        return true;
    }
    fsync_fails |= strcmp(option, "--fsync=fail") == 0;
    fsync_of_directories_fails |= strncmp(option, "--fsync=fail", 12) == 0;
    /* Without an operation of its own the kernel keeps the locks itself, as on a local file system. */
    return fsync_of_directories_fails || strcmp(option, "--flock=pass") == 0 || strcmp(option, "--fsync=pass") == 0;
}

int main(int count, char** words)
{
    for (int n = 3; n < count; ++n) {
        if (!understood(words[n])) {
            fprintf(stderr, "passthrough: unknown option '%s'\n", words[n]);
            return 2;
        }
    }
    folder = count < 3 ? -1 : open(words[1], O_RDONLY | O_DIRECTORY);
    if (folder < 0) {
        fprintf(stderr, "usage: passthrough FOLDER MOUNT_POINT [--flock=...] [--fsync=...]\n");
        return 2;
    }
    umask(0); /* the kernel has applied the caller's already */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    char foreground[] = "-f", option[] = "-o", options[] = "default_permissions,fsname=mandate-test";
    char* arguments[] = {words[0], foreground, option, options, words[2], NULL};
    return fuse_main(5, arguments, &operations, NULL);
}
