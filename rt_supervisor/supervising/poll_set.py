"""Combines descriptors that wake the loop of a run into the one that the run core polls."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from select import epoll


class PollSet:
    """Several descriptors as one. A single descriptor is used as it is, so that most runs need no epoll."""

    def __init__(self) -> None:
        self._poll: epoll | None = None
        self._members: frozenset[int] = frozenset()

    def combined(self, descriptors: Iterable[int]) -> int:
        """Return a descriptor that is readable if one of `descriptors` is; -1 without any. Negative ones are ignored."""
        wanted = frozenset(each for each in descriptors if each >= 0)
        if len(wanted) < 2:
            return next(iter(wanted), -1)
        if wanted != self._members:
            from select import EPOLLIN, epoll

            self.close()
            self._poll, self._members = epoll(), wanted
            for each in wanted:
                self._poll.register(each, EPOLLIN)
        assert self._poll is not None
        return self._poll.fileno()

    def close(self) -> None:
        if self._poll is not None:
            self._poll.close()
            self._poll, self._members = None, frozenset()
