"""tr, cut, rev. tr works on bytes, like GNU's; the characters of cut are those of UTF-8."""

from __future__ import annotations

from ..ansi_quoting import ansi_escape
from ..state import encoded
from .calls import NotCovered, read_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import AnyStr

    from .calls import Call

_CLASSES: dict[str, bytes] = {
    "alpha": bytes(b for b in range(128) if chr(b).isalpha()),
    "digit": b"0123456789",
    "alnum": bytes(b for b in range(128) if chr(b).isalnum()),
    "upper": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lower": b"abcdefghijklmnopqrstuvwxyz",
    "space": b"\t\n\v\f\r ",
    "blank": b"\t ",
    "punct": bytes(b for b in range(33, 127) if not chr(b).isalnum()),
    "print": bytes(range(32, 127)),
    "graph": bytes(range(33, 127)),
    "cntrl": bytes([*range(32), 127]),
    "xdigit": b"0123456789ABCDEFabcdef",
}


def tr(call: Call) -> int:
    options = call.options(
        "cCdst", "", {"complement": "c", "delete": "d", "squeeze-repeats": "s", "truncate-set1": "t"}
    )
    sets = options.operands
    deletes, squeezes = options.has("d"), options.has("s")
    least = 1 if deletes or squeezes else 2
    if len(sets) < least or (deletes and squeezes and len(sets) < 2):
        return call.fail("missing operand" + (f" after '{sets[-1]}'" if sets else ""))
    if len(sets) > 2 or (deletes and not squeezes and len(sets) > 1):
        return call.fail(f"extra operand '{sets[-1]}'")
    first = _set(sets[0])
    if options.has("c") or options.has("C"):
        first = bytes(byte for byte in range(256) if byte not in first)
    second = _set(sets[1], fill=len(first)) if len(sets) > 1 else b""
    table: bytes | None = None
    squeezed = first if len(sets) == 1 else second
    if not deletes and len(sets) > 1:
        if not second:
            return call.fail("when not truncating set1, string2 must be non-empty")
        if options.has("t"):
            first = first[: len(second)]
        table = _table(first, second)
    last = -1
    for block in read_blocks(call.stdin):
        block = block.translate(table, first if deletes else b"")
        if squeezes:
            block, last = _squeeze(block, squeezed, last)
        call.out.write(block)
        call.out.flush()
    return 0


def _table(first: bytes, second: bytes) -> bytes:
    table = bytearray(range(256))
    for place, byte in enumerate(first):
        table[byte] = second[min(place, len(second) - 1)]
    return bytes(table)


def _squeeze(block: bytes, repeated: bytes, last: int) -> tuple[bytes, int]:
    members = frozenset(repeated)
    out = bytearray()
    for byte in block:
        if byte != last or byte not in members:
            out.append(byte)
        last = byte
    return bytes(out), last


def _set(text: str, fill: int = 0) -> bytes:
    """Return the bytes of a set: ranges, classes, escapes, `[x*n]`."""
    units: list[int | str] = []  # bytes, and special characters such as "-" that were not escaped
    at = 0
    result = bytearray()
    while at < len(text):
        if text[at] == "\\":
            piece, at = ansi_escape(text, at)
            if len(piece) == 2 and piece[0] == "\\":
                piece = piece[1]
            units += encoded(piece)
            continue
        if text.startswith("[:", at):
            end = text.find(":]", at)
            if end > 0:
                name = text[at + 2 : end]
                if name not in _CLASSES:
                    raise NotCovered(f"invalid character class '{name}'")
                units += _CLASSES[name]
                at = end + 2
                continue
        if text[at] == "[" and text[at + 2 : at + 3] == "*" and "]" in text[at + 3 :]:
            count, _, _ = text[at + 3 :].partition("]")
            if not count or count.isdecimal():
                times = int(count, 8 if count.startswith("0") else 10) if count else max(0, fill - len(units))
                units += encoded(text[at + 1]) * times
                at += 4 + len(count)
                continue
        units += ["-"] if text[at] == "-" else list(encoded(text[at]))
        at += 1
    place = 0
    while place < len(units):
        unit = units[place]
        byte = 45 if unit == "-" else int(unit)
        if place + 2 < len(units) and units[place + 1] == "-":
            upper = units[place + 2]
            last = 45 if upper == "-" else int(upper)
            if last < byte:
                raise NotCovered(
                    f"range-endpoints of '{chr(byte)}-{chr(last)}' are in reverse collating sequence order"
                )
            result += bytes(range(byte, last + 1))
            place += 3
        else:
            result.append(byte)
            place += 1
    return bytes(result)


def cut(call: Call) -> int:
    long = {"bytes": "b", "characters": "c", "fields": "f", "delimiter": "d", "only-delimited": "s"}
    long |= {"output-delimiter": "\1", "complement": "\2", "zero-terminated": "z"}
    options = call.options("snz\2", "bcfd\1", long)
    kinds = [letter for letter in "bcf" if options.has(letter)]
    end = b"\0" if options.has("z") else b"\n"
    if len(kinds) != 1:
        return call.fail("you must specify a list of bytes, characters, or fields")
    ranges = _ranges(options.get(kinds[0]))
    if ranges is None:
        return call.fail(f"invalid field value '{options.get(kinds[0])}'")
    if options.has("\2"):
        ranges = _complement(ranges)
    delimiter = encoded(options.get("d", "\t")) or b"\0"
    joint = encoded(options.get("\1")) if options.has("\1") else None
    if len(delimiter.decode("utf-8", "replace")) != 1:
        return call.fail("the delimiter must be a single character")
    select: Callable[[bytes], bytes | None]
    if kinds[0] == "f":
        only = options.has("s")

        def select(line: bytes) -> bytes | None:
            fields = line.split(delimiter)
            if len(fields) == 1:
                return None if only else line
            return (delimiter if joint is None else joint).join(_pick(fields, ranges))

    elif kinds[0] == "b":

        def select(line: bytes) -> bytes | None:
            if joint is not None:
                return joint.join(_runs(line, ranges))
            return b"".join(_pick([line[place : place + 1] for place in range(len(line))], ranges))

    else:

        def select(line: bytes) -> bytes | None:
            text = line.decode("utf-8", "surrogateescape")
            if joint is not None:
                return joint.join(run.encode("utf-8", "surrogateescape") for run in _runs(text, ranges))
            return "".join(_pick(list(text), ranges)).encode("utf-8", "surrogateescape")

    status = 0
    for name in options.operands or ["-"]:
        try:
            for line in call.lines(name, end):
                found = select(line.removesuffix(end))
                if found is not None:
                    call.out.write(found + end)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
    return status


def _ranges(text: str) -> list[tuple[int, int]] | None:
    found = []
    for piece in text.replace(" ", ",").split(","):
        start, dash, end = piece.partition("-")
        if (start and not start.isdecimal()) or (end and not end.isdecimal()) or not (start or end):
            return None
        first = int(start or 1)
        last = int(end) if end else (1 << 60) if dash else first
        if first < 1 or last < first:
            return None
        found.append((first, last))
    return sorted(found)


def _complement(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found = []
    following = 1
    for first, last in ranges:
        if first > following:
            found.append((following, first - 1))
        following = max(following, last + 1)
    return [*found, (following, 1 << 60)]


def _runs(line: AnyStr, ranges: list[tuple[int, int]]) -> list[AnyStr]:
    """Return the pieces that the ranges select; overlapping or adjacent ranges are merged."""
    merged: list[tuple[int, int]] = []
    for first, last in ranges:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return [line[first - 1 : last] for first, last in merged if first <= len(line)]


def _pick(items: list, ranges: list[tuple[int, int]]) -> list:  # type: ignore[type-arg]
    picked = []
    done = 0
    for first, last in ranges:
        start = max(first, done + 1)
        if start > len(items):
            break
        picked += items[start - 1 : last]
        done = max(done, last)
    return picked


def rev(call: Call) -> int:
    options = call.options("")
    status = 0
    for name in options.operands or ["-"]:
        try:
            for line in call.lines(name):
                body = line.removesuffix(b"\n")
                text = body.decode("utf-8", "surrogateescape")[::-1]
                call.out.write(text.encode("utf-8", "surrogateescape") + line[len(body) :])
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
    return status
