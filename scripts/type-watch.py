"""The program behind scripts/watch: waits for changes under rt_supervisor and native, and type-checks that side."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

SETTLE_S = 0.1  # editors save in several steps
CHECKS = {
    ".py": [sys.executable, "-m", "mypy"],
    ".pyi": [sys.executable, "-m", "mypy"],
    ".rs": ["cargo", "check", "--workspace", "--all-targets", "--quiet"],
}


class Changes(FileSystemEventHandler):
    """Queues the check for each changed file."""

    def __init__(self) -> None:
        self.wanted: queue.Queue[tuple[str, ...]] = queue.Queue()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in ("opened", "closed_no_write"):
            return
        for path in (event.src_path, event.dest_path):
            check = CHECKS.get(Path(str(path)).suffix)
            if check:
                self.wanted.put(tuple(check))


def run(check: tuple[str, ...]) -> None:
    began = time.monotonic()
    failed = subprocess.run(check).returncode
    print(
        f"{'failed' if failed else 'ok'}: {Path(check[0]).name} {check[-1]} ({time.monotonic() - began:.1f} s)",
        flush=True,
    )


def main() -> int:
    changes = Changes()
    observer = Observer()
    for folder in ("rt_supervisor", "native"):
        observer.schedule(changes, folder, recursive=True)
    observer.start()
    try:
        for check in dict.fromkeys(map(tuple, CHECKS.values())):
            run(check)
        while True:
            wanted = {changes.wanted.get()}
            time.sleep(SETTLE_S)
            while not changes.wanted.empty():
                wanted.add(changes.wanted.get())
            for check in sorted(wanted):
                run(check)
    except KeyboardInterrupt:
        return 0
    finally:
        observer.stop()
        observer.join()


if __name__ == "__main__":
    sys.exit(main())
