"""G25: only monotonic clocks matter: rt works although the wall clock jumps an hour each time it is read."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from rig import Box

JUMPING = r"""
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_uint looks;

static long jump(void) { return atomic_fetch_add(&looks, 1) % 2 ? 3600 : -3600; }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (result) *result = exact.tv_sec;
    return exact.tv_sec;
}
"""
WAYS = pytest.mark.parametrize(
    "arguments",
    [("run", "a"), ("run", "--parallel", "a"), ("run", "--filter", "app", "a")],
    ids=["plain", "parallel", "filter"],
)


@pytest.fixture(scope="module")
def jumping(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment that makes a program see the jumping clock."""
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed, as for building rt"
    folder = tmp_path_factory.mktemp("clock")
    source, library = folder / "jumping.c", folder / "jumping.so"
    source.write_text(JUMPING)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def test_the_clock_does_jump(jumping: dict[str, str], box: Box) -> None:
    look = "import time; a = time.time(); b = time.time(); print(abs(a - b) > 7000, time.monotonic() - time.monotonic() <= 0)"
    result = subprocess.run(
        ["python3", "-c", look], env=box.environment(**jumping), capture_output=True, text=True, check=True
    )
    assert result.stdout == "True True\n"


@WAYS
def test_a_script_that_ignores_signals_is_killed(jumping: dict[str, str], box: Box, arguments: tuple[str, ...]) -> None:
    box.scripts(a="trap '' TERM; : > ready; while :; do sleep 0.01; done")
    process = box.start("--grace-period", "300", *arguments, environment=jumping)
    box.await_file("ready")
    process.terminate()
    process.communicate(timeout=30)  # by the wall clock it could take an hour
    assert process.returncode in (-signal.SIGTERM, -signal.SIGKILL)
    box.await_nothing_left()


@WAYS
def test_a_script_keeps_its_grace_period(jumping: dict[str, str], box: Box, arguments: tuple[str, ...]) -> None:
    clean_up = "for i in 1 2 3 4 5; do sleep 0.02; done; : > cleaned; exit 0"
    box.scripts(a=f"trap '{clean_up}' TERM; : > ready; while :; do sleep 0.01; done")
    process = box.start("--grace-period", "600000", *arguments, environment=jumping)
    box.await_file("ready")
    process.terminate()
    process.communicate(timeout=60)
    assert (box.folder / "cleaned").exists(), "by the wall clock the grace could be over at once"
    box.await_nothing_left()


@WAYS
def test_leftovers_of_a_script_are_ended(jumping: dict[str, str], box: Box, arguments: tuple[str, ...]) -> None:
    box.scripts(
        a="(trap '' TERM; : > ready; sleep 1000; sleep 1000) & until [ -e ready ]; do sleep 0.01; done; echo out"
    )
    result = box.run(*arguments, environment=jumping)
    assert result.returncode == 0
    assert b"out\n" in result.stdout
    box.await_nothing_left()


def test_durations_are_as_they_were(jumping: dict[str, str], box: Box) -> None:
    box.scripts(a="sleep 0.05", b="sleep 0.05")
    result = box.run("run", "--parallel", "--report", "report.json", "a", "b", environment=jumping)
    assert result.returncode == 0
    assert len(re.findall(rb"Done in [\d.]+ ?m?s\n", result.stderr)) == 2, result.stderr
    report = json.loads((box.folder / "report.json").read_text())
    for task in report["tasks"]:
        assert 0 < task["seconds"] < 3000
        assert 0 <= task["startedAtSeconds"] < 3000


def test_no_deciding_module_reads_the_wall_clock() -> None:
    package = Path(__file__).parents[3] / "rt_supervisor"
    modules = [*(package / "supervising").glob("*.py"), *(package / "workers").glob("*.py")]
    assert len(modules) > 5
    for module in modules:
        assert not re.search(r"time\.time\(|datetime", module.read_text()), module
