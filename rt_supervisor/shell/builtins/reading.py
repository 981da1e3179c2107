"""read, mapfile and readarray."""

from __future__ import annotations

import os

from ..quoting import is_name
from ..state import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call, Options


def read(call: Call) -> int:
    """POSIX `read`, with bash's `-a -r -p -n -N -d -s -t -u`. Reads no byte of stdin after the line."""
    options = call.options("rse", "apnNdtu")
    source = _source(call, options)
    if source is None:
        return 1
    if options.has("p") and source >= 0 and os.isatty(source):
        try:
            os.write(call.io.get(2, -1), options.get("p").encode())
        except OSError:
            return 1
    if options.has("t") and not _is_ready(source, options.get("t")):
        return 142
    names = [options.get("a")] if options.has("a") else options.operands
    for name in names:
        if not is_name(name):
            return call.fail(f"`{name}': not a valid identifier")
    delimiter = (options.get("d") + "\0")[:1].encode() if options.has("d") else b"\n"
    count = options.get("N") or options.get("n")
    most = int(count) if count.isdecimal() else -1
    if options.has("N"):
        delimiter = b""
    line, complete = _read_line(source, delimiter, raw=options.has("r"), most=most)
    if not names:
        call.state.variables.set("REPLY", decoded(bytes(byte for byte, _ in line)))
        return 0 if complete else 1
    ifs = "" if options.has("N") else call.state.variables.ifs
    if options.has("a"):
        from ..arrays import Array

        call.state.variables.set_array(names[0], Array(dict(enumerate(_fields(line, ifs, -1)))))
        return 0 if complete else 1
    fields = _fields(line, ifs, len(names))
    for place, name in enumerate(names):
        call.state.variables.set(name, fields[place] if place < len(fields) else "")
    return 0 if complete else 1


def mapfile(call: Call) -> int:
    """bash's `mapfile`, with `-t -d -n -O -s -u`: reads lines into an array, MAPFILE by default."""
    from ..arrays import Array, elements_of

    options = call.options("t", "dnOsu")
    source = _source(call, options)
    if source is None:
        return 1
    name = options.operands[0] if options.operands else "MAPFILE"
    if not is_name(name):
        return call.fail(f"`{name}': not a valid identifier")
    counts: dict[str, int] = {}
    for letter in "nOs":
        text = options.get(letter) or "0"
        if not text.isdecimal():
            return call.fail(f"{text}: invalid {'array origin' if letter == 'O' else 'line count'}")
        counts[letter] = int(text)
    delimiter = (options.get("d") + "\0")[:1].encode() if options.has("d") else b"\n"
    elements = dict(elements_of(name, call.state)) if options.has("O") else {}
    place = counts["O"]
    number_read = 0
    complete = True
    while complete and (counts["n"] == 0 or number_read < counts["s"] + counts["n"]):
        line, complete = _read_line(source, delimiter, raw=True, most=-1)
        if not line and not complete:
            break
        number_read += 1
        if number_read > counts["s"]:
            text = decoded(bytes(byte for byte, _ in line))
            elements[place] = text if options.has("t") or not complete else text + delimiter.decode("latin-1")
            place += 1
    call.state.variables.set_array(name, Array(elements))
    return 0


def _source(call: Call, options: Options) -> int | None:
    """Return the descriptor to read from: stdin, or that of -u; None, with a message, if that is not open."""
    if not options.has("u"):
        return call.stdin
    number = options.get("u")
    source = call.io.get(int(number), -1) if number.isdecimal() else -1
    if source < 0:
        call.fail(f"{number}: invalid file descriptor: Bad file descriptor")
        return None
    return source


def _is_ready(descriptor: int, text: str) -> bool:
    import select

    try:
        seconds = float(text)
    except ValueError:
        return True
    return bool(select.select([descriptor], [], [], seconds)[0])


def _read_line(descriptor: int, delimiter: bytes, *, raw: bool, most: int) -> tuple[list[tuple[int, bool]], bool]:
    """Return the bytes up to the delimiter, each with whether a backslash escaped it, and whether the delimiter was
    found."""
    source = _Bytes(descriptor)
    line: list[tuple[int, bool]] = []
    try:
        while most < 0 or len(line) < most:
            byte = source.next()
            if byte == b"":
                return line, False
            if byte == delimiter:
                return line, True
            if byte == b"\\" and not raw:
                byte = source.next()
                if byte == b"":
                    return line, False
                if byte != b"\n":
                    line.append((byte[0], True))
                continue
            if byte != b"\0":
                line.append((byte[0], False))
        return line, True
    finally:
        source.give_back()


class _Bytes:
    """Reads byte by byte; a seekable file is read in blocks, and `give_back` seeks back to the first unused byte."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._block = b""
        self._at = 0
        try:
            os.lseek(descriptor, 0, os.SEEK_CUR)
            self._size = 4096
        except OSError:
            self._size = 1

    def next(self) -> bytes:
        if self._at >= len(self._block):
            self._block = os.read(self._descriptor, self._size)
            self._at = 0
        self._at += 1
        return self._block[self._at - 1 : self._at]

    def give_back(self) -> None:
        unread = len(self._block) - self._at
        if unread > 0:
            os.lseek(self._descriptor, -unread, os.SEEK_CUR)


def _fields(line: list[tuple[int, bool]], ifs: str, count: int) -> list[str]:
    """Split the line into fields (POSIX `read`): the last name gets the rest of the line, without surrounding
    blanks."""
    separators = {ord(character) for character in ifs if ord(character) < 128}
    blanks = {byte for byte in separators if byte in b" \t\n"}

    def is_blank(at: int) -> bool:
        return not line[at][1] and line[at][0] in blanks

    def is_separator(at: int) -> bool:
        return not line[at][1] and line[at][0] in separators

    def text(start: int, end: int) -> str:
        return decoded(bytes(byte for byte, _ in line[start:end]))

    at, end = 0, len(line)
    while at < end and is_blank(at):
        at += 1
    while end > at and is_blank(end - 1):
        end -= 1
    fields: list[str] = []
    while at < end:
        if len(fields) == count - 1:
            rest_end = end
            # A single non-blank separator at the end closes the last field, if the rest contains no other.
            if is_separator(end - 1) and not any(is_separator(place) for place in range(at, end - 1)):
                rest_end = end - 1
            fields.append(text(at, rest_end))
            break
        start = at
        while at < end and not is_separator(at):
            at += 1
        fields.append(text(start, at))
        while at < end and is_blank(at):
            at += 1
        if at < end and is_separator(at):
            at += 1
            while at < end and is_blank(at):
                at += 1
    return fields
