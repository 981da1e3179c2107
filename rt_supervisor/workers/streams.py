"""The pipes between one script and rt: made here, read in big blocks, closed here."""

from __future__ import annotations

import os

from ..vocabulary.events import STDERR, STDOUT

BLOCK_BYTES = 1 << 20


class ScriptStreams:
    """stdout and stderr of one process; `joined`, both are one pipe, read as stdout.

    `open` maps each descriptor still to be read to its stream; `script_ends` are the script's 1 and 2.
    """

    def __init__(self, *, joined: bool) -> None:
        """Raises OSError when the limit on descriptors is reached; nothing stays open then."""
        out_read, out_write = os.pipe()
        self.open = {out_read: STDOUT}
        if joined:
            self.script_ends = (out_write, out_write)
            return
        try:
            err_read, err_write = os.pipe()
        except OSError:
            os.close(out_read)
            os.close(out_write)
            raise
        self.open[err_read] = STDERR
        self.script_ends = (out_write, err_write)

    def close_script_ends(self) -> None:
        """Close rt's copies of what the script writes to, once they are on their way to it."""
        for descriptor in set(self.script_ends):
            os.close(descriptor)

    @staticmethod
    def read(descriptor: int) -> bytes:
        """Return what is there, at most `BLOCK_BYTES`; empty at the end of the stream."""
        return os.read(descriptor, BLOCK_BYTES)

    def close(self, descriptor: int) -> None:
        del self.open[descriptor]
        os.close(descriptor)
