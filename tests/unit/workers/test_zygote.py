"""Zygotes and their workers, with a kind of script defined by the test; messages from Python's side."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import wait_until

from rt_supervisor import _native
from rt_supervisor.vocabulary import protocol
from rt_supervisor.workers.client import GuardianClient

WHOLE = 9  # the exit status of a separate process: ["/bin/sh", "-c", "exit 9"]


class Telling:
    """Its workers write down their state, and exit with the status given by the last word."""

    ignored: Collection[int] = (signal.SIGXFSZ,)
    takes_missed_signals = True

    def __init__(self, *, fails_at: str = "") -> None:
        self._fails_at = fails_at
        self._prepared_in = 0

    def prepare(self) -> None:
        self._prepared_in = os.getpid()
        self._may_fail("prepare")

    def become_own(self) -> None:
        self._may_fail("become_own")

    def command_line(self, program: Sequence[str]) -> Sequence[bytes]:
        return [os.fsencode(word) for word in program]

    def run(self, program: Sequence[str], *, ignored: int) -> NoReturn:
        said = {
            "program": program,
            "folder": os.getcwd(),
            "leads": os.getpgrp() == os.getpid(),
            "parent": os.getppid(),
            "zygote": self._prepared_in,
            "A": os.environ.get("A"),
            "HOME": os.environ.get("HOME"),
            "mark": os.environ.get("_RT_SCRIPT"),
            "ignored": [signal.getsignal(number) == signal.SIG_IGN for number in (signal.SIGXFSZ, signal.SIGPIPE)],
            "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        }
        Path(f"said.{os.getpid()}").write_text(json.dumps(said))
        os._exit(int(program[-1]))

    def _may_fail(self, place: str) -> None:
        if self._fails_at == place:
            raise OSError(place)


class Run:
    """A guardian with a zygote of one kind."""

    def __init__(self, folder: Path, kind: protocol.Kind, *, fails_at: str = "") -> None:
        self.folder = folder
        self.kind = kind
        self.client = GuardianClient(share_terminal=False, hosts={kind: Telling(fails_at=fails_at)})

    def start(self, key: int, *words: str, **environment: str) -> None:
        program = ["rt", *(("shell", "-c") if self.kind == "shell" else ()), *words]
        changed = {**os.environ, **environment}
        whole = ["/bin/sh", "-c", f"exit {WHOLE}"]
        self.client.spawn(key, argv=whole, program=program, environment=changed, folder=str(self.folder))

    def ends(self, count: int) -> dict[int, int]:
        """Return the exit codes of the given number of scripts."""
        codes: dict[int, int] = {}
        while len(codes) < count:
            for report in self.client.receive():
                if report[0] == protocol.ENDED:
                    codes[report[1]] = os.waitstatus_to_exitcode(report[2])
            assert not self.client.lost
        return codes

    def said(self) -> list[dict[str, object]]:
        return [json.loads(path.read_text()) for path in sorted(self.folder.glob("said.*"))]


KINDS: tuple[protocol.Kind, ...] = ("engine", "shell")


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_is_equivalent_to_a_process(tmp_path: Path, kind: protocol.Kind) -> None:
    run = Run(tmp_path, kind)
    run.client.prepare(kind)
    run.start(4, "\udcff x", "3", A="1\udcfe\n")
    assert run.ends(1) == {4: 3}
    (said,) = run.said()
    assert said.pop("program")[-2:] == ["\udcff x", "3"]  # type: ignore[index]
    assert said.pop("zygote") not in (0, os.getpid(), run.client.pid)
    assert said == {
        "folder": str(tmp_path),
        "leads": True,
        "parent": run.client.pid,
        "A": "1\udcfe\n",
        "HOME": os.environ.get("HOME"),
        "mark": f"{run.client.pid}.4",
        "ignored": [True, False],
        "blocked": 0,
    }
    run.client.close()


def test_before_it_is_requested_scripts_are_separate_processes(tmp_path: Path) -> None:
    run = Run(tmp_path, "engine")
    run.start(1, "0")
    assert run.ends(1) == {1: WHOLE}
    run.client.prepare("shell")  # there is no such zygote
    run.start(2, "0")
    assert run.ends(1) == {2: WHOLE}
    run.client.prepare("engine")
    run.start(3, "0")
    run.start(4, "0", LANG="C")  # V8 has read it in the zygote
    assert run.ends(2) == {3: 0, 4: WHOLE}
    run.client.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["prepare", "become_own"])
def test_without_a_worker_there_is_a_separate_process(tmp_path: Path, kind: protocol.Kind, place: str) -> None:
    run = Run(tmp_path, kind, fails_at=place)
    run.client.prepare(kind)
    for key in range(3):
        run.start(key, "0")
    assert run.ends(3) == dict.fromkeys(range(3), WHOLE)
    run.client.close()


def test_a_long_order_is_for_the_shell_only(tmp_path: Path) -> None:
    """A source file's arguments would exceed the limit of a process as well; a shell text is not an argument."""
    for kind, code in (("engine", WHOLE), ("shell", 0)):
        run = Run(tmp_path, kind)  # type: ignore[arg-type]
        run.client.prepare(run.kind)
        run.start(1, "x" * 3_000_000, "0")
        assert run.ends(1) == {1: code}
        run.client.close()


def test_a_waiting_worker_becomes_the_next_script(tmp_path: Path) -> None:
    run = Run(tmp_path, "engine")
    run.client.prepare("engine")
    for key in range(3):
        run.client.hold()
        run.start(key, str(key))
        assert run.ends(1) == {key: key}
    assert len({said["zygote"] for said in run.said()}) == 1
    run.client.close()


@pytest.mark.parametrize("kind", KINDS)
def test_kill_9_of_the_zygote_leaves_whole_processes(tmp_path: Path, kind: protocol.Kind) -> None:
    run = Run(tmp_path, kind)
    run.client.prepare(kind)
    run.start(1, "0")
    assert run.ends(1) == {1: 0}
    zygote = run.said()[0]["zygote"]
    assert isinstance(zygote, int)
    os.kill(zygote, signal.SIGKILL)
    wait_until(lambda: _native.is_gone(zygote), "it is gone")
    run.start(2, "0")
    assert run.ends(1) == {2: WHOLE}
    run.client.close()


@given(st.binary(max_size=60))
def test_invalid_orders_are_rejected(data: bytes) -> None:
    try:
        order = _native.zygote_order(data)
    except ValueError:
        return
    assert order[0] in (protocol.PREPARE, protocol.HOLD, protocol.SPAWN, protocol.LONG)


ANSWERS: st.SearchStrategy[protocol.Answer] = st.sampled_from(
    [protocol.HELD, protocol.FORKED, protocol.RUNNING, protocol.UNABLE]
)


@given(ANSWERS, st.integers(0, 2**32 - 1), st.integers(0, 1 << 22), st.integers(0, 2**64 - 1))
def test_answers_do_not_mix_in_their_pipe(kind: protocol.Answer, key: int, pid: int, given: int) -> None:
    frame = _native.zygote_answer(kind, key, pid, given)
    assert len(frame) <= 512, "POSIX's least PIPE_BUF"
    assert int.from_bytes(frame[:4], "little") == len(frame) - 4
