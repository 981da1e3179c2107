"""Runs rt --watch as a process: reads its output up to what a test waits for, and saves files as editors do."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from typing import Any

from rig import PATIENCE_S, Box


class Watching:
    """rt --watch in a box, its output read up to what the test waits for."""

    def __init__(self, box: Box, *arguments: str, **options: Any) -> None:
        self.box = box
        self.process = box.start(*arguments, stderr=subprocess.STDOUT, **options)
        assert self.process.stdout is not None
        self.descriptor = self.process.stdout.fileno()
        self.seen = ""

    def read_until(self, text: str) -> str:
        """Read until `text` has arrived. Return the output up to it."""
        while text not in self.seen:
            assert select.select([self.descriptor], [], [], PATIENCE_S * 2)[0], f"{text!r} never came: {self.seen!r}"
            block = os.read(self.descriptor, 1 << 16)
            assert block, f"rt ended before {text!r}: {self.seen!r}"
            self.seen += block.decode()
        before, _, self.seen = self.seen.partition(text)
        return before

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=PATIENCE_S * 2)
        self.seen += rest.decode()
        return self.process.returncode


def save(box: Box, name: str, text: str) -> None:
    """Save as most editors do: write a file beside it, then rename."""
    path = box.folder / name
    draft = path.with_name(f".{path.name}.draft")
    draft.write_text(text)
    draft.rename(path)


STAYS = "setInterval(() => {}, 100000);"
