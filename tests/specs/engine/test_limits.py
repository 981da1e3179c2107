"""G30: programs without bounds: a clear error, termination by signal, never a crash."""

from __future__ import annotations

import signal

from rig import Box


def test_a_heap_that_only_grows_is_a_clear_error(box: Box) -> None:
    """Also where the limit, by default up to half of the memory of the machine, is reached by large objects."""
    box.write({"grow.js": "const a = []; for (;;) a.push(new Array(1e6).fill(1.5));"})
    result = box.run("--max-old-space-size=300", "grow.js")
    assert result.returncode == 134
    assert result.stderr.startswith(b"error: JavaScript ran out of memory: its heap reached the limit of 300 MB")
    assert b"Traceback" not in result.stderr


def test_recursion_without_end_is_a_range_error(box: Box) -> None:
    box.write({"deep.js": "const f = () => f(); try { f() } catch (e) { console.log(e instanceof RangeError) }"})
    assert box.run("deep.js").stdout == b"true\n"


def test_a_limit_of_file_sizes_is_an_error(box: Box) -> None:
    """`ulimit -f`: the launcher writes to memory files, and the program gets EFBIG instead of SIGXFSZ."""
    box.write(
        {"big.js": "try { require('fs').writeFileSync('big', 'x'.repeat(1e5)) } catch ({ code }) { console.log(code) }"}
    )
    for _ in range(2):  # also with a cached start
        done = box.in_bash('ulimit -f 1; "$RT" big.js')
        assert (done.returncode, done.stdout) == (0, b"EFBIG\n"), done.stderr


def test_an_endless_loop_ends_by_interrupt(box: Box) -> None:
    box.write({"loop.js": "require('fs').writeFileSync('ready', ''); for (;;);"})
    process = box.start("loop.js")
    box.await_file("ready")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
