"""Start-up snapshots with host functions in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rt_supervisor._native import Engine, JsError, JsFunction, build_snapshot

BOOT = """
const host = globalThis.__host; delete globalThis.__host;
class Counter { #n = 0; up() { return ++this.#n } }
globalThis.lib = { read: path => host.read(path), later: host.write, counter: new Counter(), kind: host.kindOf };
"""


@pytest.fixture(scope="module")
def snapshot() -> bytes:
    return build_snapshot([("boot.js", BOOT)], ["read", "write"])


def test_state_and_functions_survive(snapshot: bytes) -> None:
    engine = Engine(snapshot)
    engine.bind("read", lambda path: f"<{path}>")
    assert engine.run("lib.read('x') + lib.counter.up() + lib.kind(new Map) + typeof __host") == "<x>1mapundefined"
    assert engine.host_functions == ["read", "write"]
    with pytest.raises(JsError, match="the host function write is not bound"):
        engine.run("lib.later()")
    with pytest.raises(KeyError):
        engine.bind("unknown", print)
    engine.close()


def test_the_host_is_called_once(snapshot: bytes) -> None:
    asked: list[str] = []

    def host(name: str) -> Any:
        asked.append(name)
        return (lambda data: data, "b") if name == "write" else len

    engine = Engine(snapshot, host=host)
    assert engine.run("[lib.read('abc'), lib.read(''), lib.later(new Uint8Array(2)).length]").to_python() == [3, 0, 2]
    assert asked == ["read", "write"]
    engine.close()


def test_from_a_file(snapshot: bytes, tmp_path: Path) -> None:
    path = tmp_path / "snapshot"
    path.write_bytes(snapshot)
    engine = Engine(str(path))
    path.unlink()
    assert engine.run("lib.counter.up()") == 1
    engine.close()


@pytest.mark.parametrize("damage", [b"", b"RTSNAP01", b"x" * 100])
def test_damage_is_an_error(snapshot: bytes, damage: bytes, tmp_path: Path) -> None:
    for broken in (damage, damage + snapshot[len(damage) : -1], snapshot + b"x", snapshot[:40]):
        with pytest.raises(ValueError, match="not a snapshot of this build"):
            Engine(broken)
    with pytest.raises(FileNotFoundError):
        Engine(str(tmp_path / "missing"))


def test_a_throwing_script_is_an_error() -> None:
    with pytest.raises(JsError, match="early") as caught:
        build_snapshot([("a.js", "1"), ("b.js", "\nthrow new Error('early')")])
    assert (caught.value.file, caught.value.line) == ("b.js", 2)
    with pytest.raises(JsError, match="not bound"):
        build_snapshot([("a.js", "__host.read()")], ["read"])


def test_many_engines_and_builds_in_turn(snapshot: bytes) -> None:
    first = Engine(snapshot)
    again = build_snapshot([("boot.js", BOOT)], ["read", "write"])
    second = Engine(again)
    first.bind("read", lambda path: 1)
    second.bind("read", lambda path: first.run("lib.read()") + 1)
    assert second.run("lib.read()") == 2
    first.close()
    assert second.run("lib.counter.up()") == 1
    second.close()


FORKING = """
import os, sys
from rt_supervisor import _native
_native.v8_start(sys.argv[1], sys.argv[2])
ready = _native.Engine() if sys.argv[3] == "context" else None
for _ in range(5):
    read, write = os.pipe()
    if os.fork() == 0:
        engine = ready or _native.Engine()
        engine.global_object["pid"] = engine.function(os.getpid)
        os.write(write, str(engine.run("let s = 0; for (let i = 0; i < 1e6; i++) s += i; pid()")).encode())
        os._exit(0)
    pid = os.wait()[0]
    assert int(os.read(read, 20)) == pid
"""


@pytest.mark.parametrize("when", ["context", "process"])
def test_a_ready_process_forks(when: str, tmp_path: Path) -> None:
    maps = Path("/proc/self/maps").read_text().split()
    library = next(word for word in maps if word.endswith("libmini_racer.so"))
    os.symlink(os.path.join(os.path.dirname(library), "icudtl.dat"), tmp_path / "icudt77l.dat")
    subprocess.run([sys.executable, "-c", FORKING, library, str(tmp_path), when], check=True, timeout=60)


def test_a_function_stored_in_the_snapshot_is_a_function(snapshot: bytes) -> None:
    engine = Engine(snapshot)
    assert isinstance(engine.run("lib.later"), JsFunction)
    assert engine.run("lib.later.name") == "write"
    engine.close()
