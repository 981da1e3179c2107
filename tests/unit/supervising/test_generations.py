"""Generations with a guardian, signals, files and a clock that the test plays; no process is started."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rt_supervisor.supervising.generations import Generations
from rt_supervisor.vocabulary import protocol
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.vocabulary.events import Exited, Signaled
from rt_supervisor.workers import signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rt_supervisor.vocabulary.identity import Identity

GRACE_S = 5.0


class Ready:
    """A descriptor that is readable while `items` holds something."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe2(os.O_NONBLOCK)
        self.items: list[tuple[object, ...]] = []

    def fileno(self) -> int:
        return self._reader

    def put(self, *items: tuple[object, ...]) -> None:
        self.items += items
        os.write(self._writer, b"x")

    def take_all(self) -> list[tuple[object, ...]]:
        os.read(self._reader, 100)
        taken, self.items = self.items, []
        return taken

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)


class FakeClient(Ready):
    """Records what is ordered. Each order is passed to `react`, which plays the guardian."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = False
        self.calls: list[tuple[object, ...]] = []
        self.react: Callable[[tuple[object, ...]], None] = lambda call: None

    def _note(self, *call: object) -> None:
        self.calls.append(call)
        self.react(call)

    def prepare(self, kind: protocol.Kind) -> None:
        self._note("prepare", kind)

    def hold(self) -> None:
        self._note("hold")

    def spawn(
        self, key: int, *, argv: Sequence[str], program: Sequence[str], environment: Mapping[str, str], folder: str
    ) -> None:
        self._note("spawn", key)

    def signal(self, number: int, key: int | None = None) -> None:
        self._note("signal", number)

    def kill(self, key: int | None = None) -> None:
        self._note("kill")

    def receive(self) -> Sequence[protocol.Report]:
        return self.take_all()  # type: ignore[return-value]

    def kill_everything(self) -> None:
        self._note("kill everything")


class FakeQueue(Ready):
    def take(self) -> list[tuple[int, bool]]:
        return self.take_all()  # type: ignore[return-value]


class FakeChanges:
    """Files that changed: one batch for each `take`; a callable batch is called and changes nothing."""

    new: frozenset[str] = frozenset()
    brief: frozenset[str] = frozenset()

    def __init__(self, *batches: list[str] | Callable[[], None]) -> None:
        self._batches = list(batches)

    def fileno(self) -> int | None:
        return None

    @property
    def timeout_s(self) -> float | None:
        return 0.0 if self._batches else None

    def take(self) -> list[str]:
        batch = self._batches.pop(0) if self._batches else []
        if callable(batch):
            batch()
            return []
        return batch

    def follow_files(self, files: Mapping[str, Identity]) -> None: ...
    def close(self) -> None: ...


class FakeNarrator:
    def __init__(self) -> None:
        self.lines: list[tuple[object, ...]] = []

    def restarts(self, changed: Sequence[str]) -> None:
        self.lines.append(("restarts", *changed))

    def ended(self, outcome: Exited | Signaled) -> None:
        self.lines.append(("ended", outcome))

    def folder_is_gone(self) -> None:
        self.lines.append(("folder is gone",))


class Rig:
    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.client, self.queue, self.narrator = FakeClient(), FakeQueue(), FakeNarrator()
        self.now = 100.0

    def generations(self, *batches: list[str] | Callable[[], None], is_program: bool = True) -> Generations:
        return Generations(
            argv=("rt", "a.ts"),
            environment={},
            folder=self.folder,
            is_program=is_program,
            kill_signal=signals.SIGTERM,
            grace_s=GRACE_S,
            client=self.client,
            queue=self.queue,
            shares_terminal=False,
            narrator=self.narrator,
            make_changes=lambda: FakeChanges(*batches),
            clock=lambda: self.now,
        )

    def run(self, *batches: list[str] | Callable[[], None], is_program: bool = True) -> Exited | Signaled:
        generations = self.generations(*batches, is_program=is_program)
        try:
            return generations.run()
        finally:
            generations.close()
            self.queue.close()

    def started(self, key: int) -> tuple[object, ...]:
        return (protocol.STARTED, key, 1, 0)

    def ended(self, key: int, status: int) -> tuple[object, ...]:
        return (protocol.ENDED, key, status, 0.0, 0)

    def start_each(self, call: tuple[object, ...]) -> None:
        """Play a guardian whose generations start at once and end with the signal that they get."""
        if call[0] == "spawn":
            self.current = int(str(call[1]))
            self.client.put(self.started(self.current))
        elif call[0] == "signal":
            self.client.put(self.ended(self.current, int(str(call[1]))))


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def test_a_change_stops_the_generation_and_starts_the_next_one_after_its_end(rig: Rig) -> None:
    rig.client.react = rig.start_each
    outcome = rig.run(["/p/a.ts"], lambda: None, lambda: rig.queue.put((signals.SIGTERM, True)))
    assert [call for call in rig.client.calls if call[0] in ("spawn", "signal")] == [
        ("spawn", 1),
        ("signal", signals.SIGTERM),
        ("spawn", 2),
        ("signal", signals.SIGTERM),
    ]
    assert rig.narrator.lines == [("restarts", "/p/a.ts")]
    assert outcome == Signaled(signals.SIGTERM)


def test_a_generation_that_ends_by_itself_waits_for_a_change(rig: Rig) -> None:
    def react(call: tuple[object, ...]) -> None:
        if call == ("spawn", 1):
            rig.client.put(rig.started(1), rig.ended(1, 3 << 8))
        elif call == ("spawn", 2):
            rig.client.put(rig.started(2), rig.ended(2, 0))
            rig.queue.put((signals.SIGINT, True))

    rig.client.react = react
    outcome = rig.run(["/p/a.ts"])
    assert rig.narrator.lines[:2] == [("ended", Exited(3)), ("restarts", "/p/a.ts")]
    assert outcome == Signaled(signals.SIGINT)


def test_a_generation_that_ignores_the_signal_is_killed_after_the_grace_period(rig: Rig) -> None:
    def react(call: tuple[object, ...]) -> None:
        if call[0] == "spawn":
            rig.client.put(rig.started(int(str(call[1]))))
        elif call == ("kill",):
            rig.client.put(rig.ended(1, 9))
            rig.queue.put((signals.SIGHUP, True))
        elif call == ("signal", signals.SIGHUP):
            rig.client.put(rig.ended(2, signals.SIGHUP))

    def pass_grace() -> None:
        rig.now += GRACE_S

    rig.client.react = react
    assert rig.run(["/p/a.ts"], pass_grace) == Signaled(signals.SIGHUP)
    assert rig.client.calls.index(("kill",)) < rig.client.calls.index(("spawn", 2))


def test_the_next_engine_is_forked_once_the_program_runs(rig: Rig) -> None:
    rig.client.react = rig.start_each

    def pass_time() -> None:
        rig.now += 1.0

    rig.run(pass_time, lambda: None, lambda: rig.queue.put((signals.SIGTERM, True)))
    assert rig.client.calls[:2] == [("prepare", "engine"), ("spawn", 1)]
    assert ("hold",) in rig.client.calls


def test_a_script_has_no_engine(rig: Rig) -> None:
    rig.client.react = rig.start_each
    rig.run(lambda: rig.queue.put((signals.SIGTERM, True)), is_program=False)
    assert not {"prepare", "hold"} & {call[0] for call in rig.client.calls}


def test_a_missing_folder_is_awaited(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    rig.folder = str(folder)
    rig.client.react = rig.start_each
    outcome = rig.run(
        ["/p/a.ts"],
        lambda: None,
        folder.mkdir,
        ["/p/b.ts"],
        lambda: rig.queue.put((signals.SIGTERM, True)),
    )
    assert rig.narrator.lines == [("folder is gone",), ("restarts", "/p/b.ts")]
    assert outcome == Signaled(signals.SIGTERM)


def test_a_lost_guardian_is_a_failure(rig: Rig) -> None:
    def react(call: tuple[object, ...]) -> None:
        if call[0] == "spawn":
            rig.client.lost = True
            rig.client.put()

    rig.client.react = react
    with pytest.raises(Failed) as caught:
        rig.run()
    assert caught.value.failure.reason == "guardian-lost"
    assert ("kill everything",) in rig.client.calls


def test_a_start_that_the_system_refuses_is_a_failure(rig: Rig) -> None:
    def react(call: tuple[object, ...]) -> None:
        if call[0] == "spawn":
            rig.client.put((protocol.REFUSED, 1, 13, "Permission denied", "/x"))

    rig.client.react = react
    with pytest.raises(Failed, match="Permission denied"):
        rig.run()
