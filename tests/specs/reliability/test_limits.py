"""G18, G26, G28, G29: system limits, cycles, many packages, circular links."""

from __future__ import annotations

import os
import re
import resource
import subprocess
from pathlib import Path

import pytest
from rig import Box, children_of, executable, wait_until

MIB = 1 << 20


def workspace(box: Box, count: int, script: str) -> None:
    box.write({"package.json": {"name": "root", "workspaces": ["packages/*"]}})
    box.write(
        {f"packages/p{n:04d}/package.json": {"name": f"p{n:04d}", "scripts": {"build": script}} for n in range(count)}
    )


def test_works_with_256_descriptors(box: Box) -> None:
    workspace(box, 300, "echo built")
    result = box.run(
        "run", "--filter", "*", "build", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b"build: built\n") == 300


def test_works_with_very_few_descriptors(box: Box) -> None:
    workspace(box, 40, "echo built")
    result = box.run(
        "run", "--parallel", "--filter", "*", "build",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)),
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b" | built\n") == 40


def test_5000_packages_take_bounded_children_descriptors_and_memory(box: Box) -> None:
    workspace(box, 5000, "true")
    process = box.start("run", "--filter", "*", "build", stderr=None)
    assert process.stdout is not None
    most_descriptors = most_children = peak = count = 0
    guardian = None
    while chunk := os.read(process.stdout.fileno(), MIB):
        count += chunk.count(b"Exited with code 0\n")
        try:
            most_descriptors = max(most_descriptors, len(list(Path(f"/proc/{process.pid}/fd").iterdir())))
            guardian = guardian or min(children_of(process.pid))
            most_children = max(most_children, len(children_of(guardian)))
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = max(peak, int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024)  # type: ignore[index]
        except (OSError, TypeError, IndexError, ValueError):
            continue
    assert process.wait() == 0
    assert count == 5000
    assert most_descriptors <= 300
    assert 0 < most_children <= 128
    assert peak <= 120 * MIB


def test_all_scripts_start_although_none_of_them_ends(box: Box) -> None:
    count = 20
    workspace(
        box,
        count,
        f"echo x > ../../$(basename $PWD).up; until [ $(ls ../.. | grep -c up) = {count} ]; do sleep 0.5; done",
    )
    result = box.run("run", "--filter", "*", "build")
    assert result.returncode == 0
    assert result.stdout.count(b"Exited with code 0") == count


def test_the_dry_run_names_the_limit(box: Box) -> None:
    workspace(box, 40, "true")
    one_cpu = {min(os.sched_getaffinity(0))}
    for flags, sentence in {
        (): "in 1 wave:",
        ("--concurrency", "200%"): "in 1 wave, at most 2 at once:",
        ("--concurrency", "7"): "in 1 wave, at most 7 at once:",
        ("--parallel",): "in 1 wave:",
    }.items():
        result = box.run(
            "run", *flags, "--filter", "*", "--dry-run", "build",
            preexec_fn=lambda: os.sched_setaffinity(0, one_cpu),
        )  # fmt: skip
        assert result.stdout.decode().splitlines()[0] == f"Would run 40 scripts {sentence}"


def test_a_cycle_is_named_once_and_does_not_hang(box: Box) -> None:
    def package(name: str, *needs: str) -> dict[str, object]:
        return {"name": name, "scripts": {"build": f"echo {name}"}, "dependencies": dict.fromkeys(needs, "*")}

    box.write({"package.json": {"workspaces": ["*"]}})
    for name, needs in {"a": "b", "b": "c", "c": "a", "last": "a"}.items():
        box.write({f"{name}/package.json": package(name, needs)})
    result = box.run("run", "--filter", "*", "build")
    assert result.returncode == 0
    assert result.stdout.count(b"Exited with code 0") == 4
    assert result.stderr.count(b"warn:") == 1
    assert re.search(rb"a.*b.*c", result.stderr)
    lines = result.stdout.decode().splitlines()
    assert lines.index("a build: a") < lines.index("last build: last")
    strict = box.run("run", "--strict-cycles", "--filter", "*", "build")
    assert strict.returncode == 1
    assert strict.stdout == b""


def test_links_in_circles_show_each_real_folder_once(box: Box) -> None:
    box.write({"package.json": {"name": "root", "workspaces": ["packages/**"]}})
    box.write({"packages/a/package.json": {"name": "a", "scripts": {"build": "echo a"}}})
    (box.folder / "packages/a/self").symlink_to("..")
    (box.folder / "packages/again").symlink_to("a")
    result = box.run("run", "--filter", "*", "build")
    assert result.returncode == 0
    assert result.stdout.count(b"a build: a\n") == 1


def run_with_few_processes(box: Box, limit: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run rt as a separate user, so that the limit counts only this test's processes (root has no limit)."""
    user = 200_000 + os.getpid()  # distinct from the users of tests that run in parallel
    box.folder.chmod(0o777)
    reach = "+dac_override,+dac_read_search"  # the checkout may lie in root's home
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", f"--inh-caps={reach}"]
    as_user += [f"--ambient-caps={reach}", "prlimit", f"--nproc={limit}", executable()]
    if os.getuid() != 0:
        own = [
            entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and entry.stat().st_uid == os.getuid()
        ]
        as_user = ["prlimit", f"--nproc={len(own) + limit}", executable()]
    return subprocess.run(
        [*as_user, *arguments], cwd=box.folder, env=box.environment(), capture_output=True, timeout=60
    )


def test_the_limit_on_processes_is_a_clear_error(box: Box) -> None:
    box.scripts(a="sleep 0.2", b="sleep 0.2", c="sleep 0.2", d="sleep 0.2")
    process = run_with_few_processes(box, 2, "run", "--parallel", "a", "b", "c", "d")
    assert b"Traceback" not in process.stderr
    assert process.returncode != 0
    assert b"ulimit -u" in process.stderr, process.stderr
    wait_until(lambda: not box.left(), "nothing left")


def test_scripts_wait_where_the_limit_on_processes_leaves_little_room(box: Box) -> None:
    names = [f"s{number}" for number in range(12)]
    box.scripts(**dict.fromkeys(names, "echo built"))
    process = run_with_few_processes(box, 7, "run", "--parallel", *names)
    assert process.returncode == 0, process.stderr
    assert process.stdout.count(b" | built\n") == 12


@pytest.mark.parametrize("arguments", [("run", "--parallel", "a"), ("run", "a")], ids=["parallel", "plain"])
@pytest.mark.parametrize("limit", range(5, 12))
def test_fewer_descriptors_than_rt_needs(box: Box, limit: int, arguments: tuple[str, ...]) -> None:
    """A clear error, or success; the interpreter itself needs five."""
    box.scripts(a="echo built")
    result = box.run(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
    assert b"Traceback" not in result.stderr
    assert b"bug in rt" not in result.stderr
    assert (b"built\n" in result.stdout) if result.returncode == 0 else (b"error: " in result.stderr)
    box.await_nothing_left()
