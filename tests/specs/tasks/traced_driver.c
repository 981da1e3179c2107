/* Performs the file operations on its command line, each as a letter and its paths, for test_tracing.py. */
#define _GNU_SOURCE
#include <sched.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void read_file(const char *path) {
    char block[64];
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, block, sizeof block) < 0) return;
    if (file >= 0) close(file);
}

static void map_file(const char *path) {
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    void *at = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0);
    if (at != MAP_FAILED) munmap(at, 1);
    close(file);
}

static void write_file(const char *path, int flags) {
    int file = open(path, O_WRONLY | O_CREAT | flags, 0644);
    if (file >= 0 && write(file, "x", 1) != 1) return;
    if (file >= 0) close(file);
}

static void list_folder(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return;
    while (readdir(folder)) continue;
    closedir(folder);
}

static void execute(const char *path) {
    pid_t child = fork();
    if (child == 0) {
        execl(path, path, (char *)NULL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int count, char **words) {
    struct stat about;
    char target[64];
    for (int at = 1; at < count; at++) {
        const char *first = at + 1 < count ? words[at + 1] : "", *second = at + 2 < count ? words[at + 2] : "";
        int used = 1;
        switch (words[at][0]) {
        case 'r': read_file(first); break;
        case 'm': map_file(first); break;
        case 's': (void)!stat(first, &about); break;
        case 'a': (void)!access(first, F_OK); break;
        case 'k': (void)!readlink(first, target, sizeof target); break;
        case 'l': list_folder(first); break;
        case 'w': write_file(first, O_TRUNC); break;
        case 'e': write_file(first, O_APPEND); break;
        case 'u': (void)!unlink(first); break;
        case 'd': (void)!mkdir(first, 0755); break;
        case 'x': execute(first); break;
        case 'n': (void)!rename(first, second); used = 2; break;
        case 'y': (void)!symlink(first, second); used = 2; break;
        case 'h': (void)!link(first, second); used = 2; break;
        /* What cannot be traced. */
        case 'I': (void)!syscall(SYS_io_uring_setup, 1, NULL); used = 0; break;
        case 'N': (void)!unshare(CLONE_NEWUTS); used = 0; break;
        case 'C': (void)!chroot("/"); used = 0; break;
        case 'P': (void)!syscall(SYS_ptrace, -1, 0, 0, 0); used = 0; break;
        case 'X': (void)!syscall(0x40000000 | SYS_getpid); used = 0; break;
        }
        at += used;
    }
    return 0;
}
