"""tee, wc, head, tail: process streams in blocks, in bounded memory."""

from __future__ import annotations

import os

from ..own_descriptors import named_descriptor
from .calls import BLOCK_BYTES, NotCovered, read_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .calls import Call, Options

_LARGEST_SUFFIXES = {"b": 512, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30}


def tee(call: Call) -> int:
    options = call.options("ai", "", {"append": "a"})
    status = 0
    descriptors: list[int] = []
    try:
        for name in options.operands:
            flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | (os.O_APPEND if options.has("a") else os.O_TRUNC)
            try:
                number = named_descriptor(name)
                if number is not None:
                    descriptors.append(os.dup(call.io.get(number, -1)))
                else:
                    descriptors.append(os.open(call.path(name), flags, 0o666))
            except (OSError, ValueError) as error:
                status = call.report_os_error(name, error)
        for block in read_blocks(call.stdin):
            call.out.write(block)
            call.out.flush()
            for descriptor in descriptors:
                view = memoryview(block)
                while view:
                    view = view[os.write(descriptor, view) :]
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    return status


def wc(call: Call) -> int:
    options = call.options(
        "lwcmL", "", {"lines": "l", "words": "w", "bytes": "c", "chars": "m", "max-line-length": "L"}
    )
    wanted = [letter for letter in "lwmcL" if options.has(letter)] or ["l", "w", "c"]
    rows: list[tuple[list[int], str]] = []
    status = 0
    all_regular = True
    for name in options.operands or ["-"]:
        try:
            counts, is_regular = _counts(call, name, wanted)
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
            if not isinstance(error, IsADirectoryError):
                continue
            counts, is_regular = dict.fromkeys("lwmcL", 0), True
        all_regular = all_regular and is_regular
        rows.append(([counts[letter] for letter in wanted], name if options.operands else ""))
    if len(options.operands) > 1:
        columns = [[row[0][place] for row in rows] for place in range(len(wanted))]
        totals = [max(column) if letter == "L" else sum(column) for letter, column in zip(wanted, columns, strict=True)]
        rows.append((totals, "total"))
    width = _width(call, rows, options, wanted)
    for numbers, name in rows:
        line = " ".join(f"{number:>{width}}" for number in numbers)
        call.out.text(f"{line} {name}\n" if name else f"{line}\n")
    return status


def _counts(call: Call, name: str, wanted: list[str]) -> tuple[dict[str, int], bool]:
    lines = words = characters = size = longest = 0
    in_word = False
    width = _WidestLine()
    descriptor = call.stdin if name == "-" else call.open(name)
    try:
        is_regular = os.fstat(descriptor).st_mode & 0o170000 == 0o100000
        for block in read_blocks(descriptor):
            size += len(block)
            lines += block.count(b"\n")
            if "w" in wanted:
                pieces = block.split()
                words += len(pieces) - (in_word and not block[:1].isspace())
                in_word = not block[-1:].isspace()
            if "m" in wanted:
                characters += len(block.translate(None, _CONTINUATIONS))
            if "L" in wanted:
                longest = width.after(block)
    finally:
        if name != "-":
            os.close(descriptor)
    return {"l": lines, "w": words, "m": characters, "c": size, "L": longest}, is_regular


_CONTINUATIONS = bytes(byte for byte in range(256) if byte & 0xC0 == 0x80)


class _WidestLine:
    """The width of the widest line so far in columns; tabs advance to the next multiple of eight."""

    def __init__(self) -> None:
        self._rest = b""
        self._widest = 0

    def after(self, block: bytes) -> int:
        pieces = (self._rest + block).split(b"\n")
        self._rest = pieces[-1]
        for piece in pieces:
            self._widest = max(self._widest, len(piece.translate(None, _CONTINUATIONS).expandtabs(8)))
        return self._widest


def _width(call: Call, rows: list[tuple[list[int], str]], options: Options, wanted: list[str]) -> int:
    """Return the width like GNU's: that of the largest size, seven if something is not a regular file, one for a single
    number."""
    if len(wanted) == 1 and len(rows) <= 1:
        return 1
    total = 0
    least = 1
    for name in options.operands or ["-"]:
        try:
            found = os.fstat(call.stdin) if name == "-" else os.stat(call.path(name))
        except (OSError, ValueError):
            continue
        if found.st_mode & 0o170000 == 0o100000:
            total += found.st_size
        else:
            least = 7
    return max(least, len(str(total)))


def head(call: Call) -> int:
    options, count, by_bytes, negative = _read_count(call, "qvz")

    def show(descriptor: int) -> None:
        if negative:
            _all_but_last(call, read_blocks(descriptor), count, by_bytes=by_bytes)
        elif by_bytes:
            _first_bytes(call, descriptor, count)
        else:
            _first_lines(call, descriptor, count)

    return _each_input(call, options, show)


def _each_input(call: Call, options: Options, show: Callable[[int], None]) -> int:
    """Print the title of each operand (stdin without one) and call `show` with its descriptor; return the status."""
    status = 0
    for place, name in enumerate(options.operands or ["-"]):
        try:
            descriptor = call.stdin if name == "-" else call.open(name)
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
            continue
        try:
            _title(call, options, name, place)
            show(descriptor)
        except BrokenPipeError:
            raise
        except OSError as error:
            status = call.report_os_error(name, error)
        finally:
            if name != "-":
                os.close(descriptor)
    return status


def _read_count(call: Call, flags: str) -> tuple[Options, int, bool, bool]:
    """Parse `-n N`, `-c N` and `-N`: the options, N, whether it counts bytes, whether it is negative."""
    first = call.arguments[0] if call.arguments else ""
    old = "-+" if call.name == "tail" and len(call.arguments) < 3 else "-"
    if first[:1] and first[:1] in old and (digits := first[1:].rstrip("clqv")).isdecimal() and digits.isascii():
        letters = first[1 + len(digits) :]
        call.arguments = [
            "-c" if "c" in letters else "-n",
            first[0].replace("-", "") + digits,
            *(f"-{letter}" for letter in letters if letter in "qv"),
            *call.arguments[1:],
        ]
    options = call.options(flags, "nc", {"lines": "n", "bytes": "c", "quiet": "q", "silent": "q", "verbose": "v"})
    letter = next((letter for letter, _ in reversed(options.order) if letter in "nc"), "n")
    text = options.get(letter, "10")
    sign = text[:1] if text[:1] in "+-" else ""
    digits = text.removeprefix(sign) if sign else text
    factor = 1
    if digits[-1:] in _LARGEST_SUFFIXES and len(digits) > 1:
        factor = _LARGEST_SUFFIXES[digits[-1]]
        digits = digits[:-1]
    if not (digits.isascii() and digits.isdecimal()):
        raise NotCovered(f"invalid number: {text}")
    call_count = int(digits) * factor
    if call.name == "tail" and sign == "+":
        call_count = max(call_count, 1)
        return options, call_count, letter == "c", True
    return options, call_count, letter == "c", sign == "-" and call.name == "head"


def _title(call: Call, options: Options, name: str, place: int) -> None:
    if options.has("v") or (len(options.operands) > 1 and not options.has("q")):
        shown = "standard input" if name == "-" else name
        call.out.text(("\n" if place else "") + f"==> {shown} <==\n")


def _first_bytes(call: Call, descriptor: int, count: int) -> None:
    while count > 0:
        block = os.read(descriptor, min(count, BLOCK_BYTES))
        if not block:
            return
        count -= len(block)
        call.out.write(block)
        call.out.flush()


def _first_lines(call: Call, descriptor: int, count: int) -> None:
    """Print `count` lines; seek back to their end, so that the next command reads the rest."""
    while count > 0:
        block = os.read(descriptor, BLOCK_BYTES)
        if not block:
            return
        lines = block.count(b"\n")
        if lines < count:
            count -= lines
            call.out.write(block)
            call.out.flush()
            continue
        end = -1
        for _ in range(count):
            end = block.index(b"\n", end + 1)
        call.out.write(block[: end + 1])
        call.out.flush()
        try:
            os.lseek(descriptor, end + 1 - len(block), os.SEEK_CUR)
        except OSError:
            return
        return


def _all_but_last(call: Call, blocks: Iterator[bytes], count: int, *, by_bytes: bool) -> None:
    if by_bytes:
        kept = b""
        for block in blocks:
            kept += block
            if len(kept) > count:
                call.out.write(kept[: len(kept) - count])
                kept = kept[len(kept) - count :]
        return
    waiting: list[bytes] = []
    rest = b""
    for block in blocks:
        pieces = (rest + block).split(b"\n")
        rest = pieces.pop()
        waiting += pieces
        if len(waiting) + bool(rest) > count:
            end = len(waiting) + bool(rest) - count
            call.out.write(b"".join(line + b"\n" for line in waiting[:end]))
            del waiting[:end]


def tail(call: Call) -> int:
    options, count, by_bytes, from_start = _read_count(call, "qvz")

    def show(descriptor: int) -> None:
        if from_start:
            _from(call, read_blocks(descriptor), count - 1, by_bytes=by_bytes)
        else:
            _last(call, read_blocks(descriptor), count, by_bytes=by_bytes)

    return _each_input(call, options, show)


def _from(call: Call, blocks: Iterator[bytes], skipped: int, *, by_bytes: bool) -> None:
    for block in blocks:
        if skipped:
            size = len(block) if by_bytes else block.count(b"\n")
            if size < skipped or (by_bytes and size == skipped):
                skipped -= size
                continue
            if by_bytes:
                block = block[skipped:]
            else:
                end = -1
                for _ in range(skipped):
                    end = block.index(b"\n", end + 1)
                block = block[end + 1 :]
            skipped = 0
        call.out.write(block)
        call.out.flush()


def _last(call: Call, blocks: Iterator[bytes], count: int, *, by_bytes: bool) -> None:
    """Print the last `count` lines or bytes; keeps only as many blocks as these may need."""
    kept: list[bytes] = []
    amounts: list[int] = []
    total = 0
    for block in blocks:
        kept.append(block)
        amounts.append(len(block) if by_bytes else block.count(b"\n"))
        total += amounts[-1]
        while kept and total - amounts[0] > count:
            total -= amounts.pop(0)
            kept.pop(0)
    data = b"".join(kept)
    if count == 0:
        return
    if by_bytes:
        call.out.write(data[-count:])
        return
    lines = data.split(b"\n")
    rest = lines.pop()
    found = [line + b"\n" for line in lines] + ([rest] if rest else [])
    call.out.write(b"".join(found[-count:]))
