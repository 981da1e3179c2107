"""A program's output reaches its reader: in order, in time, complete, and without an error if nothing reads it any more."""

from __future__ import annotations

import os
import signal

from rig import Box


def test_order_between_streams_is_preserved(box: Box) -> None:
    box.write({
        "a.js": """
        process.stdout.write('1'); console.error('2'); console.log('3'); require('fs').writeSync(1, '4');
        process.stderr.write('5'); require('fs').writeFileSync(2, '6'); console.log('7');
        RT.spawnSync(['sh', '-c', 'echo 8'], { stdio: ['ignore', 'inherit', 'inherit'] }); console.log('9');
        """
    })  # fmt: skip
    read, write = os.pipe()
    process = box.start("a.js", stdout=write, stderr=write)
    os.close(write)
    assert process.wait(timeout=60) == 0
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b"12\n3\n4567\n8\n9\n"


def test_is_seen_while_the_program_computes(box: Box) -> None:
    process = box.start("-e", "console.log('first'); console.log('second'); for (;;);")
    assert process.stdout is not None
    assert process.stdout.readline() == b"first\n"
    assert process.stdout.readline() == b"second\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) in (130, -signal.SIGINT)


def test_all_output_arrives(box: Box) -> None:
    result = box.run("-e", "for (let i = 0; i < 50000; i++) console.log(i, 'x'.repeat(i % 50)); process.exit(3)")
    assert result.returncode == 3
    assert result.stdout.decode().split("\n")[:-1] == [f"{i} {'x' * (i % 50)}" for i in range(50000)]


def test_closed_pipe_ends_the_program_quietly(box: Box) -> None:
    read, write = os.pipe()
    process = box.start("-e", "for (;;) console.log('line')", stdout=write)
    os.close(write)
    os.read(read, 100)
    os.close(read)
    assert process.wait(timeout=60) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_closed_standard_error_changes_nothing(box: Box) -> None:
    read, write = os.pipe()
    os.close(read)
    process = box.start(
        "-e", "for (let i = 0; i < 5000; i++) console.error('x'.repeat(50)); console.log('end')", stderr=write
    )
    os.close(write)
    assert process.communicate(timeout=60)[0] == b"end\n"
    assert process.returncode == 0


def test_full_disk_is_named(box: Box) -> None:
    with open("/dev/full", "wb") as full:
        result = box.run("-e", "console.log('x')", stdout=full)
    assert result.stderr == b"error: cannot write to standard output: ENOSPC: no space left on device\n"
    assert result.returncode == 1


def test_output_before_a_fatal_signal_is_there(box: Box) -> None:
    result = box.run("-e", "console.log('a'); console.log('b'); process.kill(process.pid, 'SIGKILL')")
    assert result.stdout == b"a\nb\n"
    assert result.returncode == -signal.SIGKILL
