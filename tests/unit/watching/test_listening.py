"""Listening to the watcher's descriptor through an event loop."""

from __future__ import annotations

from rt_supervisor.watching.listening import Listening


def test_only_the_current_descriptor_is_waited_for() -> None:
    waited: list[int] = []
    told: list[tuple[str, int]] = []

    def add(descriptor: int) -> None:
        waited.append(descriptor)
        told.append(("add", descriptor))

    def remove(descriptor: int) -> None:
        waited.remove(descriptor)
        told.append(("remove", descriptor))

    listening = Listening(add=add, remove=remove)
    listening.follow(None)
    assert told == []
    listening.follow(5)
    listening.follow(5)
    assert waited == [5]
    listening.follow(6)
    assert waited == [6]
    listening.follow(None)
    assert waited == []
    assert told == [("add", 5), ("remove", 5), ("add", 6), ("remove", 6)]
