"""G9 to G14, G17: every byte arrives, lines never mix, memory stays bounded, and a reader that goes away ends the
run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from rig import Box, executable, wait_until

MIB = 1 << 20
POLL = "7"  # the number of the system call on x86-64


def peak_bytes(pid: int) -> int:
    """Return the peak resident size of a process, or 0 if it has just ended."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def test_a_reader_that_goes_away_ends_the_run(box: Box) -> None:
    box.scripts(tick="while :; do echo tick; done")
    line = f"{executable()} run --parallel yes tick | head -3; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(
        ["bash", "-c", line], cwd=box.folder, env=box.environment(), capture_output=True, timeout=60
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 4
    assert lines[-1] == b"141"
    box.await_nothing_left()


def test_a_reader_that_goes_away_ends_a_silent_run_too(box: Box) -> None:
    box.scripts(quiet="touch ready; sleep 1000")
    read, write = os.pipe()
    process = box.start("run", "--parallel", "quiet", stdout=write)
    os.close(write)
    box.await_file("ready")
    os.close(read)
    wait_until(lambda: process.poll() is not None, "rt ends")
    assert process.returncode == -signal.SIGPIPE
    box.await_nothing_left()


def test_a_slow_reader_gets_every_byte_and_memory_stays_bounded(box: Box) -> None:
    box.scripts(a="seq 1 600000", b="seq 1 600000")
    process = box.start("run", "--parallel", "a", "b")
    assert process.stdout is not None
    wait_until(lambda: Path(f"/proc/{process.pid}/status").exists(), "rt runs")
    got = bytearray()
    peak = 0
    while chunk := os.read(process.stdout.fileno(), 100_000):
        got += chunk
        if process.poll() is None:
            peak = max(peak, peak_bytes(process.pid))
    process.wait()
    assert process.returncode == 0
    for label in (b"a", b"b"):
        numbers = re.findall(rb"^%s \| (\d+)$" % label, bytes(got), re.M)
        assert numbers == [b"%d" % n for n in range(1, 600_001)]
    assert peak <= 60 * MIB


def test_interrupting_while_the_reader_does_not_read(box: Box) -> None:
    box.scripts(a="touch ready; while :; do echo tick; done")
    process = box.start("run", "--parallel", "a")
    box.await_file("ready")
    wait_until(lambda: waits_to_write(process.pid), "rt waits for its reader")
    process.send_signal(signal.SIGINT)
    wait_until(lambda: process.poll() is not None, "rt ends although nobody reads")
    assert process.returncode == -signal.SIGINT
    box.await_nothing_left()


def waits_to_write(pid: int) -> bool:
    """Return whether the run core waits for nothing but one output and signals: poll of two descriptors."""
    call = Path(f"/proc/{pid}/syscall").read_text().split()
    return call[0] == POLL and call[2] == "0x2"


def test_one_line_of_200_mb(box: Box) -> None:
    size = 200 * 1000 * 1000
    box.scripts(
        big=f"head -c {size} /dev/zero | tr '\\0' x; echo", small="for i in 1 2 3 4 5; do echo short; sleep 0.05; done"
    )
    process = box.start("run", "--parallel", "big", "small")
    assert process.stdout is not None
    digest, count, peak, short = hashlib.sha256(), 0, 0, 0
    while chunk := process.stdout.read(MIB):
        if process.poll() is None:
            peak = max(peak, peak_bytes(process.pid))
        short += chunk.count(b"small | short\n")
        chunk = chunk.replace(b"small | short\n", b"")
        digest.update(chunk)
        count += len(chunk)
    assert process.wait() == 0
    assert count == size + len(b"big   | \n")
    want = hashlib.sha256(b"big   | ")
    for _ in range(200):
        want.update(b"x" * 1_000_000)
    want.update(b"\n")
    assert digest.digest() == want.digest()
    assert short == 5
    assert peak <= 80 * MIB


AWKWARD = {
    "invalid utf-8": b"\xff\xfe ok \xc3\x28\n",
    "nul": b"a\0b\n\0\n",
    "no final newline": b"one\ntwo",
    "only newlines": b"\n\n\n",
    "carriage returns": b"a\rb\r\nc\n",
    "escapes": b"\x1b[31mred\x1b[0m\x1b]0;title\x07\n",
    "long": b"x" * 70_000 + b"\n" + b"y" * 200_000 + b"\nend",
}


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("mode", ["plain", "parallel", "sequential", "filter", "grouped", "json"])
def test_bytes_are_exact_in_every_mode(box: Box, name: str, mode: str) -> None:
    data = AWKWARD[name]
    box.write({"package.json": {"workspaces": ["p"], "scripts": {"a": "cat p/data"}}, "p/data": data})
    box.write({"p/package.json": {"name": "p", "scripts": {"a": "cat data"}}})
    arguments = {
        "plain": ("run", "--silent", "a"),
        "parallel": ("run", "--parallel", "a"),
        "sequential": ("run", "--sequential", "a"),
        "filter": ("run", "--filter", "p", "a"),
        "grouped": ("run", "--output=grouped", "--parallel", "a"),
        "json": ("run", "--output=json", "--parallel", "a"),
    }[mode]
    result = box.run(*arguments)
    assert result.returncode == 0
    if mode in ("grouped", "json"):
        assert data in (json_bytes(result.stdout) if mode == "json" else result.stdout)
        return
    prefix = {"plain": b"", "filter": b"p a: "}.get(mode, b"a | ")
    lines = data.split(b"\n")
    if mode == "plain":
        want = data
    else:
        tail = [lines[-1]] if lines[-1] else []
        want = b"".join(prefix + line + b"\n" for line in lines[:-1] + tail)
    if mode == "filter":
        want += b"p a: Exited with code 0\n"
    assert result.stdout == want


def json_bytes(out: bytes) -> bytes:
    """Reassemble the stream as docs/output.md describes."""
    data = b""
    for line in map(json.loads, out.splitlines()):
        if line["event"] == "output":
            data += base64.b64decode(line["base64"]) if "base64" in line else line["text"].encode()
            data += b"" if line.get("partial") else b"\n"
    return data


def test_lines_of_parallel_scripts_never_mix(box: Box) -> None:
    each = 125_000
    names = [f"s{number}" for number in range(8)]
    box.scripts(**{name: f"seq -f '{name}-%.0f-{name}' 1 {each}" for name in names})
    result = box.run("run", "--parallel", *names)
    assert result.returncode == 0
    seen = dict.fromkeys(names, 0)
    for line in result.stdout.decode().splitlines():
        label, _, text = line.partition(" | ")
        seen[label] += 1
        assert text == f"{label}-{seen[label]}-{label}"
    assert set(seen.values()) == {each}


@pytest.mark.parametrize(
    "mode",
    [
        ("--parallel",),
        ("--sequential",),
        ("--filter", "app"),
        ("--output=json", "--parallel"),
        ("--output=grouped", "--parallel", "b"),
    ],
    ids=lambda mode: mode[0],
)
def test_a_full_disk_is_named_and_fails_the_run(box: Box, mode: tuple[str, ...]) -> None:
    box.scripts(a="seq 1 100000; sleep 1000", b="echo over")
    with open("/dev/full", "wb") as full:
        process = box.start("run", *mode, "a", stdout=full)
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait() == 1
    assert b"ENOSPC" in err
    assert b"Traceback" not in err
    box.await_nothing_left()
