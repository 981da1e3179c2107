"""A library that shifts the clock of a process that preloads it, and of its children: the time of the day, not that of timers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SHIFTED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*original)(clockid_t, struct timespec *);
    if (!original) original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = original(clock, at);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) at->tv_sec += SHIFT;
    return result;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}
"""


def compile_shift(folder: Path, seconds: int) -> str | None:
    """Compile the library into `folder`, and return its path; None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, library = folder / "shifted.c", folder / "shifted.so"
    source.write_text(SHIFTED)
    subprocess.run(
        [compiler, "-shared", "-fPIC", f"-DSHIFT={seconds}", "-o", str(library), str(source), "-ldl"], check=True
    )
    return str(library)
