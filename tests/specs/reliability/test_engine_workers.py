"""Scripts in engine workers end like other scripts: with rt however it ends, reported once, with all their children.

And the zygote that forks them may be lost at any moment, with no visible effect but time.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from rig import Box, wait_until

KILLED_WITHIN_S = 10.0
WAITING = "require('fs').writeFileSync(`ready.${process.pid}`, String(process.ppid)); setInterval(() => {}, 1e6)"
# Like WAITING, with children of every kind.
CROWDED = (
    "require('child_process').spawnSync('sh', ['-c', 'sleep 1000 >/dev/null 2>&1 & setsid sleep 1000 >/dev/null 2>&1 &"
    ' nohup sleep 1000 >/dev/null 2>&1 & (setsid sh -c "sleep 1000 & sleep 1000" >/dev/null 2>&1 &)\']);' + WAITING
)


def children(pid: int) -> set[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return set(map(int, found.stdout.split()))


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def start_waiting(box: Box, count: int, text: str = WAITING) -> tuple[subprocess.Popen[bytes], int, set[int], int]:
    """Start `count` programs. Return rt, and the pids of the guardian, the workers and the zygote, once all run."""
    box.write({"main.ts": text})
    process = box.start("run", "--parallel", *["main.ts"] * count)
    box.await_file("ready.*", count)
    ready = list(box.folder.glob("ready.*"))
    wait_until(lambda: all(path.read_text() for path in ready), "the files are written")
    workers = {int(path.suffix[1:]) for path in ready}
    (guardian,) = {int(path.read_text()) for path in ready}
    (zygote,) = {pid for pid in children(guardian) - workers if is_alive(pid) and os.getpgid(pid) == guardian}
    return process, guardian, workers, zygote


@pytest.mark.parametrize("text", [WAITING, CROWDED], ids=["waiting", "crowded"])
def test_kill_9_of_rt_leaves_nothing(box: Box, text: str) -> None:
    process, *_ = start_waiting(box, 4, text)
    process.kill()
    box.await_nothing_left(KILLED_WITHIN_S)


def test_kill_9_of_the_guardian_leaves_nothing_and_is_reported(box: Box) -> None:
    process, guardian, *_ = start_waiting(box, 3, CROWDED)
    os.kill(guardian, signal.SIGKILL)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"guard" in err
    box.await_nothing_left(KILLED_WITHIN_S)


def test_kill_9_of_the_zygote_ends_no_script(box: Box) -> None:
    process, _, workers, zygote = start_waiting(box, 3)
    os.kill(zygote, signal.SIGKILL)
    wait_until(lambda: not is_alive(zygote), "the zygote is gone")
    assert all(map(is_alive, workers))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM
    box.await_nothing_left(KILLED_WITHIN_S)


def test_without_the_zygote_scripts_are_separate_processes(box: Box) -> None:
    """The first script kills it: the guardian's other children are the script and the watcher."""
    kill = "for pid in $(pgrep -P $PPID); do [ $pid = $$ ] || { kill -9 $pid; echo killed; }; done"
    box.write({"kill.sh": kill, "main.ts": "console.log('runs', process.argv.length)"})
    box.scripts(kill="exec bash kill.sh", go="rt main.ts 1")
    result = box.run("run", "--sequential", "kill", "go", "main.ts")
    assert result.stdout == b"kill    | killed\n" * 2 + b"go      | runs 3\nmain.ts | runs 2\n"
    assert result.returncode == 0
    box.await_nothing_left()


def test_a_stopped_zygote_does_not_keep_signals_from_scripts(box: Box) -> None:
    """When a signal has waited long enough, the zygote's orders are withdrawn: the scripts start without it, get the
    signal, and end.
    """
    stop = "for pid in $(pgrep -P $PPID); do [ $pid = $$ ] || kill -STOP $pid; done; touch stopped"
    box.write({"stop.sh": stop, "main.ts": "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1e6)"})
    box.scripts(stop="exec bash stop.sh", go="rt main.ts")
    process = box.start("run", "--sequential", "stop", "go")
    box.await_file("stopped")
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM
    box.await_nothing_left(KILLED_WITHIN_S)


@pytest.mark.parametrize(("number", "name"), [(signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "SIGINT")])
def test_a_signal_reaches_each_worker_once(box: Box, number: int, name: str) -> None:
    text = (
        f"const fs = require('fs'); process.on('{name}', () => {{ fs.appendFileSync(`count.${{process.pid}}`, 'got\\n');"
        "setTimeout(() => process.exit(0), 50) });" + WAITING
    )
    process, *_ = start_waiting(box, 3, text)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == -number
    assert [path.read_text() for path in box.folder.glob("count.*")] == ["got\n"] * 3
    box.await_nothing_left()


def test_an_endless_worker_that_ignores_signals_ends_at_the_second_interrupt(box: Box) -> None:
    text = "process.on('SIGINT', () => {}); require('fs').writeFileSync(`ready.${process.pid}`, ''); for (;;);"
    box.write({"main.ts": text})
    process = box.start("run", "--parallel", "main.ts", "main.ts")
    box.await_file("ready.*", 2)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: process.poll() is not None or process.send_signal(signal.SIGINT), "rt ends")
    assert process.returncode == -signal.SIGINT
    box.await_nothing_left(KILLED_WITHIN_S)


def test_a_worker_that_is_done_leaves_no_children_and_the_zygote_lives_on(box: Box) -> None:
    left = CROWDED.removesuffix(WAITING)
    is_whole = "require('fs').readFileSync('/proc/self/environ', 'utf8').includes('_RT_SCRIPT=')"
    box.write({"left.ts": left + "console.log('done')", "next.ts": f"console.log({is_whole} ? 'whole' : 'worker')"})
    result = box.run("run", "--sequential", "left.ts", "next.ts", "left.ts", "next.ts")
    assert result.returncode == 0
    assert result.stdout.count(b"done\n") == 2
    assert result.stdout.count(b"worker\n") == 2
    box.await_nothing_left(KILLED_WITHIN_S)


def test_a_killed_worker_is_reported_and_fails_the_others(box: Box) -> None:
    process, _, workers, _ = start_waiting(box, 3)
    os.kill(min(workers), signal.SIGKILL)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGKILL
    assert b"Signaled: SIGKILL" in err
    box.await_nothing_left(KILLED_WITHIN_S)


def first_children(pid: int) -> set[int]:
    """Return the children of a process as soon as it has any: the next look may find that they have ended."""
    found: set[int] = set()
    wait_until(lambda: found.update(children(pid)) or found, f"the first child of {pid}")
    return found


def test_workers_killed_at_any_moment_end_the_run(box: Box) -> None:
    """Even before the zygote has reported them: a killed worker is reported, and the run does not hang."""
    box.write({"main.ts": "console.log('ran')"})
    for _ in range(4):
        process = box.start("run", "--parallel", "--no-exit-on-error", *["main.ts"] * 20)
        (guardian,) = first_children(process.pid)
        known = first_children(guardian)  # the zygote: workers come later, and have its group at first
        while process.poll() is None and len(known) < 12:
            new = children(guardian) - known
            for pid in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            known |= new
        _, err = process.communicate(timeout=60)
        assert err.count(b"Done") + err.count(b"Signaled: SIGKILL") == 20
    box.await_nothing_left()


def test_a_hundred_workers_cost_the_zygote_and_guardian_nothing(box: Box) -> None:
    """Each worker reports the number of descriptors and the memory of guardian and zygote."""
    text = """
    const fs = require('fs'), { ppid, pid } = process
    const kin = fs.readFileSync(`/proc/${ppid}/task/${ppid}/children`, 'utf8').trim().split(' ').map(Number)
    const facts = [ppid, ...kin.filter((one) => one !== pid)].map((one) => [
      fs.readdirSync(`/proc/${one}/fd`).length,
      Number(/^Private_Dirty:\\s+(\\d+)/m.exec(fs.readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))[1]),
    ])
    fs.appendFileSync('facts', JSON.stringify(facts) + '\\n')
    """
    box.write({"main.ts": text})
    result = box.run("run", "--sequential", *["main.ts"] * 100)
    assert (result.returncode, result.stdout) == (0, b"")
    rows = [json.loads(line) for line in (box.folder / "facts").read_text().splitlines()]
    assert len(rows) == 100
    assert {len(row) for row in rows} == {3}, "the guardian, the zygote, the watcher"
    for one in range(2):  # at most the three of a start in progress come and go
        counts = [row[one][0] for row in rows[1:]]
        assert max(counts) <= min(counts[:10]) + 3
    for before, after in zip(rows[10], rows[-1], strict=True):
        assert after[1] - before[1] < 2000, "kilobytes of its own"


def test_many_at_once_within_few_descriptors(box: Box) -> None:
    box.write({"main.ts": "console.log('ran')"})
    result = box.run(
        "run", "--parallel", *["main.ts"] * 120,
        preexec_fn=lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_NOFILE, (128, 128)),
    )  # fmt: skip
    assert result.stderr.count(b"Done") == 120
    assert result.stdout.count(b"ran\n") == 120
    box.await_nothing_left()
