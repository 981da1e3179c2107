"""rt on a terminal: a pseudo-terminal, a keyboard, and a screen drawn by a terminal emulator."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
from typing import Any

import pyte
from rig import PATIENCE_S, Box


def take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Session:
    """rt (or another `program`) with `arguments` on a new terminal, which is its controlling terminal."""

    def __init__(
        self, box: Box, *arguments: str, columns: int = 80, rows: int = 60, program: str = "", **environment: str
    ) -> None:
        self.columns = columns
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=1)
        self.stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        base = {key: value for key, value in box.environment().items() if key != "NO_COLOR"}
        base |= {"TERM": "xterm-256color"} | environment
        options: dict[str, Any] = {"executable": program} if program else {}
        self.process = box.start(
            *arguments, env=base, stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal, **options
        )
        os.close(slave)
        self.raw = b""

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: str) -> None:
        r"""Type on the keyboard: "\x03" is Ctrl-C."""
        os.write(self.master, keys.encode())

    def read_until(self, text: str) -> None:
        """Read until the screen shows `text`."""
        while not any(text in line for line in self.screen.display):
            assert self._read(), f"{text!r} never came; the screen:\n" + "\n".join(self.lines)

    def finish(self) -> int:
        """Read to the end. Return the program's exit status."""
        while self._read():
            pass
        os.close(self.master)
        return self.process.wait(PATIENCE_S)

    def _read(self) -> bool:
        if not select.select([self.master], [], [], PATIENCE_S * 2)[0]:
            raise AssertionError("nothing more came; the screen:\n" + "\n".join(self.lines))
        try:
            block = os.read(self.master, 1 << 16)
        except OSError:  # Linux raises this when the last writer has closed the terminal
            return False
        self.raw += block
        self.stream.feed(block)
        return bool(block)

    @property
    def lines(self) -> list[str]:
        """Return everything that has been on the screen, from the top of its history."""
        past = ["".join(line[x].data for x in range(self.columns)).rstrip() for line in self.screen.history.top]
        return "\n".join([*past, *(line.rstrip() for line in self.screen.display)]).rstrip().split("\n")
