"""Listening to the watcher's descriptor through an event loop."""

from __future__ import annotations

from rt_supervisor.watching.listening import Listening


def test_only_the_current_descriptor_is_waited_for() -> None:
    waited: list[int] = []
    reported: list[tuple[str, int]] = []

    def add(descriptor: int) -> None:
        waited.append(descriptor)
        reported.append(("add", descriptor))

    def remove(descriptor: int) -> None:
        waited.remove(descriptor)
        reported.append(("remove", descriptor))

    listening = Listening(add=add, remove=remove)
    listening.follow(None)
    assert reported == []
    listening.follow(5)
    listening.follow(5)
    assert waited == [5]
    listening.follow(6)
    assert waited == [6]
    listening.follow(None)
    assert waited == []
    assert reported == [("add", 5), ("remove", 5), ("add", 6), ("remove", 6)]
