"""Operations of `js/node/test/watching.js`: watched files, and channels on which the processes of tests report the files that
they load."""

from __future__ import annotations

from ...vocabulary.identity import identity_of
from ...vocabulary.load_report import LoadReports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...watching.watcher import Watcher
    from ..host import HostWithDebugger as Host
    from ..program.options import TestWatch


def operations(host: Host) -> dict[str, Any]:
    watches = TestWatches(host)
    return {"begin": watches.begin, "channel": watches.channel, "release": watches.release, "end": watches.end}


class TestWatches:
    """The watching test runs of one program."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._runs: dict[int, _WatchedRun] = {}

    def begin(self, folder: str, has_tree: bool, callback: Any) -> int:
        """Call `callback` with changed paths: of files that were loaded, or with `has_tree` of all below `folder`."""
        number = max(self._runs, default=0) + 1
        self._runs[number] = _WatchedRun(self._host, folder, has_tree, callback)
        return number

    def channel(self, number: int, paths: Any, callback: Any) -> list[int | str]:
        """Watch `paths` and the files that a process loads; call `callback` with changes. Return the channel's number and name."""
        return self._runs[number].channel(paths.to_list(), callback)

    def release(self, number: int, channel: int) -> list[str]:
        """Return the last reports of a channel whose process has ended."""
        run = self._runs.get(number)
        return run.release(channel) if run is not None else []

    def end(self, number: int) -> None:
        self._runs.pop(number).close()


class _WatchedRun:
    """One run; it keeps the program alive."""

    def __init__(self, host: Host, folder: str, has_tree: bool, callback: Any) -> None:
        from ..loop_watcher import LoopWatcher

        self._host = host
        self._channels: dict[int, LoadReports] = {}
        self._watcher = watcher = self._make_watcher(folder)
        if has_tree:
            watcher.follow_tree(folder)
        call = host.entry.invoke
        self._on_loop = LoopWatcher(host.loop, watcher, lambda changed: call("call", callback, changed) and None)
        self._on_loop.look()
        host.loop.references += 1

    def _make_watcher(self, folder: str) -> Watcher:
        from ...watching.rules import IgnoreRules
        from ...watching.watcher import Watcher

        usual: TestWatch = {"ignore": [], "include": [], "polls": False, "quiet_s": 0.03}
        tests = self._host.options.tests
        given = usual if tests is None else tests.get("watch", usual)
        rules = IgnoreRules(folder, ignore=given["ignore"], include=given["include"])
        warn = self._host.entry.invoke
        return Watcher(
            rules,
            polls=given["polls"],
            warn=lambda text: warn("warn", text) and None,
            quiet_s=given["quiet_s"],
        )

    def channel(self, paths: list[str], callback: Any) -> list[int | str]:
        reports = LoadReports()
        number = max(self._channels, default=0) + 1
        self._channels[number] = reports
        self._follow({path: identity_of(path) for path in paths})

        def take() -> None:
            found = self._take(reports)
            if found:
                self._host.entry.invoke("call", callback, found)

        self._host.loop.watch(reports.fileno(), take)
        return [number, reports.channel]

    def _take(self, reports: LoadReports) -> list[str]:
        found = reports.take()
        self._follow(found)
        return list(found)

    def _follow(self, files: Any) -> None:
        self._watcher.follow_files(files)
        self._on_loop.look()

    def release(self, number: int) -> list[str]:
        reports = self._channels.pop(number)
        self._host.loop.unwatch(reports.fileno())
        found = self._take(reports)
        reports.close()
        return found

    def close(self) -> None:
        for reports in self._channels.values():
            self._host.loop.unwatch(reports.fileno())
            reports.close()
        self._channels.clear()
        self._on_loop.close()
        self._host.loop.references -= 1
