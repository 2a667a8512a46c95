// The system calls that a durable booking cannot do without, and nothing else: what `mandate round` is measured against.
// usage: floor DIRECTORY   (with `record` and `ledger` in it; `lock` is made when absent)
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define RECORD_BYTES 1500  // about what `init --preset standard` writes, body included
#define LINE_BYTES 320     // about what one line of the ledger has

static int check(int result, const char* what)
{
    if (result < 0) {
        perror(what);
        _exit(1);
    }
    return result;
}

int main(int argc, char** argv)
{
    char record[RECORD_BYTES];
    char line[LINE_BYTES];
    memset(record, 'r', sizeof record);
    memset(line, 'l', sizeof line);
    line[sizeof line - 1] = '\n';
    if (argc != 2) {
        return 2;
    }
    const int directory = check(open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open the directory");
    const int lock = check(openat(directory, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666), "open the lock");
    check(flock(lock, LOCK_EX), "flock");
    const int temp = check(openat(directory, "temp", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), "create");
    check((int)write(temp, record, sizeof record), "write the record");
    check(fsync(temp), "fsync the record");
    check(close(temp), "close");
    const int ledger = check(openat(directory, "ledger", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), "open the ledger");
    check((int)write(ledger, line, sizeof line), "append");
    check(fsync(ledger), "fsync the ledger");
    check(renameat(directory, "temp", directory, "record"), "rename");
    check(fsync(directory), "fsync the directory");
    return 0;
}
