"""Operations of `js/node/wasi` that `node:fs` does not have: waiting for descriptors."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    def poll(wanted: list[list[int]], ms: int) -> list[int]:
        """Call poll(2) for [descriptor, events], without timeout if `ms` is negative. Return the events of each, in
        order."""
        import select

        waiting = select.poll()
        masks: dict[int, int] = {}
        for descriptor, events in wanted:
            masks[descriptor] = masks.get(descriptor, 0) | events
        for descriptor, events in masks.items():
            waiting.register(descriptor, events)
        said = dict(waiting.poll(None if ms < 0 else ms))
        always = select.POLLERR | select.POLLHUP | select.POLLNVAL
        return [said.get(descriptor, 0) & (events | always) for descriptor, events in wanted]

    return {"poll": (poll, "cv")}
