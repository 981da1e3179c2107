"""When changes take effect (debouncing): a single one at once, many in batches. Pure: the caller passes the time.

A single save takes effect as soon as its file is closed. A new file takes effect a moment later, since many editors
write a draft and rename it. Many changes, as of a checkout or a generator, take effect when nothing has changed for
`quiet_s`, but at the latest `longest_s` after the first change.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CALM_S = 0.1  # a change after this pause is a single one
UNFINISHED_S = 0.05  # how long to wait until a file that is being written is closed


class Settling:
    """Collects changed paths until they are due."""

    def __init__(self, *, quiet_s: float = 0.03, longest_s: float = 0.2) -> None:
        self._quiet_s = quiet_s
        self._longest_s = longest_s
        self._paths: dict[str, None] = {}
        self._due = 0.0
        self._latest = 0.0
        self._last = float("-inf")  # when a change was last complete

    def add(self, paths: Iterable[str], now: float, *, unfinished: bool = False, new: bool = False) -> None:
        """Add `paths` that changed at `now`; `unfinished` ones are still being written, `new` ones did not exist before."""
        paths = list(paths)
        if not paths:
            return
        if not self._paths:
            self._latest = now + max(self._longest_s, UNFINISHED_S)
            self._due = now if new else now + UNFINISHED_S
        if new:
            self._due = max(self._due, now + self._quiet_s)
        elif not unfinished:
            is_calm = now - self._last > CALM_S
            self._last = now
            self._due = now if is_calm else now + self._quiet_s
        self._paths.update(dict.fromkeys(paths))

    @property
    def due_at(self) -> float | None:
        """Return when `take` has changes, on the caller's clock; None while nothing has changed."""
        return min(self._due, self._latest) if self._paths else None

    def take(self, now: float) -> list[str]:
        """Return what has changed if it is due, and start over."""
        due = self.due_at
        if due is None or now < due:
            return []
        paths = list(self._paths)
        self._paths.clear()
        return paths
