"""The output of scripts as JSON: one object per line, for `--output json` and for the commands that show a running run.

Lossless: `text` holds valid UTF-8, `base64` other bytes, and `partial` marks text without a newline.
"""

from __future__ import annotations

from ...vocabulary.events import STDOUT

LONGEST_TEXT = 64 * 1024  # bytes of a line per object; a longer line is split over several

Source = tuple[int, int, int]  # task, step, stream


class OutputLines:
    """Splits the blocks of all streams into lines, and returns the objects of those that are complete, each with its newline."""

    def __init__(self) -> None:
        self._tails: dict[Source, bytes] = {}

    def feed(self, task: int, step: int, stream: int, block: bytes) -> bytes:
        """Return the objects of the lines that end in `block`."""
        key = (task, step, stream)
        tail = self._tails.pop(key, b"")
        *lines, rest = (tail + block).split(b"\n")
        made = b""
        while len(rest) > LONGEST_TEXT:
            cut = _character_border(rest, LONGEST_TEXT)
            lines.append(rest[:cut])
            made += _objects(key, lines, ends_partial=True)
            lines, rest = [], rest[cut:]
        if lines:
            made += _objects(key, lines)
        if rest:
            self._tails[key] = rest
        return made

    def finish(self, task: int, step: int, stream: int) -> bytes:
        """Return the object of the unfinished line of a stream that has ended, if there is one."""
        rest = self._tails.pop((task, step, stream), b"")
        return _objects((task, step, stream), [rest], ends_partial=True) if rest else b""

    def finish_all(self) -> bytes:
        """Return the objects of all unfinished lines."""
        return b"".join(self.finish(*source) for source in list(self._tails))


def _objects(key: Source, lines: list[bytes], *, ends_partial: bool = False) -> bytes:
    """Return one object for each line; with `ends_partial`, the last line has no newline yet."""
    from json.encoder import encode_basestring_ascii as quoted

    task, step, stream = key
    name = "stdout" if stream == STDOUT else "stderr"
    head = f'{{"event":"output","task":{task},"step":{step},"stream":"{name}",'
    text_head = head + '"text":'
    written = []
    for line in lines:
        try:
            written.append(f"{text_head}{quoted(line.decode())}}}\n")
        except UnicodeDecodeError:
            from binascii import b2a_base64

            written.append(f'{head}"base64":"{b2a_base64(line, newline=False).decode()}"}}\n')
    if ends_partial:
        written[-1] = written[-1][:-2] + ',"partial":true}\n'
    return "".join(written).encode()


def _character_border(text: bytes, most: int) -> int:
    """Return where to cut `text`, at most at `most`, without splitting a UTF-8 character."""
    for cut in range(most, most - 4, -1):
        if text[cut] & 0xC0 != 0x80:
            return cut
    return most
