// Runs commands in turns and prints what each run took, start of the process included.
// usage: turns ROUNDS [--together N] (--in DIRECTORY COMMAND [ARGUMENT...])...
//
// With --together every turn starts N processes of the command at once and lasts until the last one has ended.
// One line a round, nanoseconds for each command; then `rss` with the peak memory of each in KiB, and `exit` with the
// last exit status of each. Every second round runs the commands in the opposite order, so that none always profits
// from the one before. A small C program, since a Python parent costs more to fork than what is measured here.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define MOST_COMMANDS 16

struct command {
    char** arguments;
    posix_spawn_file_actions_t actions;
    long nanoseconds;
    long peak_kib;
    int status;
};

static void run(struct command* command, int processes)
{
    struct timespec start;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < processes; ++i) {
        pid_t child = 0;
        if (posix_spawnp(&child, command->arguments[0], &command->actions, NULL, command->arguments, environ) != 0) {
            fprintf(stderr, "turns: cannot run '%s'\n", command->arguments[0]);
            exit(2);
        }
    }
    for (int i = 0; i < processes; ++i) {
        struct rusage usage;
        if (wait4(-1, &command->status, 0, &usage) < 0) {
            perror("turns: wait4");
            exit(2);
        }
        if (usage.ru_maxrss > command->peak_kib) {
            command->peak_kib = usage.ru_maxrss;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    command->nanoseconds = (end.tv_sec - start.tv_sec) * 1000000000L + (end.tv_nsec - start.tv_nsec);
}

static int parse(int argc, char** argv, struct command* commands)
{
    int count = 0;
    for (int i = 2; i < argc; ++i) {
        if (strcmp(argv[i], "--in") != 0) {
            continue;
        }
        if (i + 2 >= argc || count == MOST_COMMANDS) {
            return 0;
        }
        struct command* command = &commands[count++];
        memset(command, 0, sizeof *command);
        posix_spawn_file_actions_init(&command->actions);
        posix_spawn_file_actions_addchdir_np(&command->actions, argv[i + 1]);
        posix_spawn_file_actions_addopen(&command->actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&command->actions, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&command->actions, 2, "/dev/null", O_WRONLY, 0);
        command->arguments = &argv[i + 2];
        argv[i] = NULL;  // ends the arguments of the command before
    }
    return count;
}

int main(int argc, char** argv)
{
    struct command commands[MOST_COMMANDS];
    const int rounds = argc > 1 ? atoi(argv[1]) : 0;
    const int together = argc > 3 && strcmp(argv[2], "--together") == 0 ? atoi(argv[3]) : 1;
    const int count = parse(argc, argv, commands);
    if (rounds < 1 || together < 1 || count == 0) {
        fprintf(stderr, "usage: turns ROUNDS [--together N] (--in DIRECTORY COMMAND [ARGUMENT...])...\n");
        return 2;
    }
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < count; ++i) {
            run(&commands[round % 2 == 0 ? i : count - 1 - i], together);
        }
        for (int i = 0; i < count; ++i) {
            printf("%ld%s", commands[i].nanoseconds, i + 1 < count ? " " : "\n");
        }
    }
    printf("rss");
    for (int i = 0; i < count; ++i) {
        printf(" %ld", commands[i].peak_kib);
    }
    printf("\nexit");
    for (int i = 0; i < count; ++i) {
        printf(" %d", WIFEXITED(commands[i].status) ? WEXITSTATUS(commands[i].status) : 128);
    }
    printf("\n");
    return 0;
}
