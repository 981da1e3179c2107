"""sort and uniq. Lines are compared as bytes, so the order does not depend on the machine."""

from __future__ import annotations

import os
import re

from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .calls import Call, Options

_MONTHS = {
    name: number
    for number, name in enumerate(
        ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"], 1
    )
}
_FLOAT = re.compile(rb"[ \t]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:inf|nan))", re.IGNORECASE)
_DIGITS = re.compile(rb"(\d+)")
_SUFFIXES = {b"K": 1, b"M": 2, b"G": 3, b"T": 4, b"P": 5, b"k": 1}


def sort(call: Call) -> int:
    """Sort in memory; input that does not fit into memory is not supported."""
    long = {"reverse": "r", "numeric-sort": "n", "unique": "u", "ignore-case": "f", "human-numeric-sort": "h"}
    long |= {"stable": "s", "check": "c", "output": "o", "key": "k", "field-separator": "t", "zero-terminated": "z"}
    long |= {
        "general-numeric-sort": "g",
        "version-sort": "V",
        "month-sort": "M",
        "merge": "m",
        "ignore-leading-blanks": "b",
    }
    options = call.options("rnufbshcCzMdigVm", "ktoS", long | {"buffer-size": "S", "parallel": "S"})
    if any(options.has(letter) for letter in "di"):
        raise NotCovered("this order is left to the system's sort")
    end = b"\0" if options.has("z") else b"\n"
    lines: list[bytes] = []
    status = 0
    for name in options.operands or ["-"]:
        try:
            data = b"".join(call.blocks(name))
        except (OSError, ValueError) as error:
            call.report_os_error(name, error)
            status = 2
            continue
        found = data.split(end)
        if found[-1] == b"":
            found.pop()
        lines += found
    if status:
        return status
    key = _key(options)
    if options.has("c") or options.has("C"):
        return _check(call, options, lines, key)
    reverse = options.has("r") and not options.has("k")
    if key is None:
        lines.sort(reverse=reverse)
    elif options.has("s") or options.has("u"):
        lines.sort(key=key, reverse=reverse)
    else:
        lines.sort(reverse=options.has("r"))  # POSIX: lines with equal keys are compared as a whole
        lines.sort(key=key, reverse=reverse)
    if options.has("u"):
        lines = list(_firsts(lines, key))
    data = b"".join(line + end for line in lines)
    if options.has("o"):
        try:
            descriptor = os.open(
                call.path(options.get("o")), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666
            )
        except (OSError, ValueError) as error:
            call.report_os_error(options.get("o"), error)
            return 2
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    else:
        call.out.write(data)
    return 0


def _firsts(lines: Iterable[bytes], key: Callable[[bytes], Any] | None) -> Iterable[bytes]:
    before: object = None
    for place, line in enumerate(lines):
        value = line if key is None else key(line)
        if place == 0 or value != before:
            yield line
        before = value


def _check(call: Call, options: Options, lines: list[bytes], key: Callable[[bytes], Any] | None) -> int:
    values: list[Any] = [line if key is None else key(line) for line in lines]
    for place in range(1, len(lines)):
        left, right = values[place - 1], values[place]
        if options.has("r") and not options.has("k"):
            left, right = right, left
        if left > right or (options.has("u") and left == right):
            if not options.has("C"):
                call.complain(f"{(options.operands or ['-'])[0]}:{place + 1}: disorder: {os.fsdecode(lines[place])}")
            return 1
    return 0


def _key(options: Options) -> Callable[[bytes], Any] | None:
    keys = [value for letter, value in options.order if letter == "k"]
    flags = "".join(letter for letter in "nfbhMgV" if options.has(letter))
    if not keys:
        return _value_of(flags) if flags else None
    separator = options.get("t")
    if len(separator.encode()) > 1 and separator != "\\0":
        raise NotCovered("multi-character tab", status=2)
    parts = [_key_part(text, separator.encode(), flags, reverse=options.has("r")) for text in keys]
    return lambda line: tuple(part(line) for part in parts)


def _key_part(text: str, separator: bytes, flags: str, *, reverse: bool) -> Callable[[bytes], Any]:
    start, _, end = text.partition(",")
    first, own = _place(start)
    last, more = _place(end) if end else ((0, 0), "")
    own += more
    reverse = "r" in own if own else reverse
    value = _value_of(own.replace("r", "") or ("" if own else flags))

    def part(line: bytes) -> object:
        found = value(_field(line, first, last, separator, skips_blanks="b" in own))
        return _Reversed(found) if reverse else found

    return part


class _Reversed:
    """A value with the reverse order."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Reversed) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


def _place(text: str) -> tuple[tuple[int, int], str]:
    """Parse `2.3n` into ((field, character), flags)."""
    digits = text.rstrip("bdfginrRhMV")
    flags = text[len(digits) :]
    field, _, character = digits.partition(".")
    if field == "0" or character == "0" or not field.isdecimal():
        raise NotCovered(f"-: invalid field specification '{text}'", status=2)
    if (character and not character.isdecimal()) or set(flags) - set("bnrfhMgV"):
        raise NotCovered(f"-: invalid field specification '{text}'", status=2)
    return (int(field), int(character or 0)), flags


def _field(
    line: bytes, first: tuple[int, int], last: tuple[int, int], separator: bytes, *, skips_blanks: bool
) -> bytes:
    starts = _starts(line, separator)
    start = starts[first[0] - 1][0] if first[0] <= len(starts) else len(line)
    if skips_blanks:
        while start < len(line) and line[start : start + 1] in (b" ", b"\t"):
            start += 1
    if first[1]:
        start += first[1] - 1
    if last == (0, 0) or last[0] > len(starts):
        return line[start:]
    end = starts[last[0] - 1][1]
    if last[1]:
        end = starts[last[0] - 1][0] + last[1]
    return line[start:end]


def _starts(line: bytes, separator: bytes) -> list[tuple[int, int]]:
    """Return where each field begins and ends; without a separator, a field includes the blanks before it."""
    if separator:
        places = []
        at = 0
        for piece in line.split(separator):
            places.append((at, at + len(piece)))
            at += len(piece) + 1
        return places
    places = []
    at = 0
    while at < len(line) or not places:
        start = at
        while at < len(line) and line[at : at + 1] in (b" ", b"\t"):
            at += 1
        while at < len(line) and line[at : at + 1] not in (b" ", b"\t"):
            at += 1
        places.append((start, at))
        if at >= len(line):
            break
    return places


def _value_of(flags: str) -> Callable[[bytes], Any]:
    if "n" in flags:
        return _number
    if "h" in flags:
        return _human
    if "g" in flags:
        return _general_number
    if "V" in flags:
        return _version
    if "M" in flags:
        return lambda text: _MONTHS.get(text.strip()[:3].decode("latin-1").upper(), 0)
    if "f" in flags and "b" in flags:
        return lambda text: text.lstrip(b" \t").upper()
    if "f" in flags:
        return bytes.upper
    if "b" in flags:
        return lambda text: text.lstrip(b" \t")
    return bytes


def _number(text: bytes) -> float | int:
    text = text.lstrip(b" \t")
    end = 1 if text[:1] == b"-" else 0
    dots = 0
    while end < len(text) and (text[end : end + 1].isdigit() or (text[end : end + 1] == b"." and not dots)):
        dots += text[end : end + 1] == b"."
        end += 1
    digits = text[:end]
    if digits in (b"", b"-", b".", b"-."):
        return 0
    return float(digits) if dots or len(digits) > 4000 else int(digits)


def _general_number(text: bytes) -> tuple[int, float]:
    """Return the sort key of `-g`: text that does not begin with a number sorts before all numbers."""
    match = _FLOAT.match(text)
    return (1, float(match[1])) if match else (0, 0.0)


def _version(text: bytes) -> list[tuple[tuple[int, int], ...] | int]:
    """Return the sort key of `-V`: runs of digits are numbers; `~` comes before the end of a text, letters before other characters."""
    pieces = _DIGITS.split(text)
    return [
        int(piece or 0) if place % 2 else (*((_rank(byte), byte) for byte in piece), (1, 0))
        for place, piece in enumerate(pieces)
    ]


def _rank(byte: int) -> int:
    return 0 if byte == 126 else 2 if bytes([byte]).isalpha() else 3


def _human(text: bytes) -> tuple[int, float]:
    value = _number(text)
    rest = text.strip().lstrip(b"-0123456789.")
    power = _SUFFIXES.get(rest[:1], 0)
    return (-power if value < 0 else power if value else 0), value


def uniq(call: Call) -> int:
    long = {"count": "c", "repeated": "d", "unique": "u", "ignore-case": "i", "skip-fields": "f", "skip-chars": "s"}
    options = call.options("cdui", "fsw", long)
    names = options.operands
    if len(names) > 2:
        return call.fail(f"extra operand '{names[2]}'")
    numbers = {letter: options.get(letter, "0") for letter in "fsw"}
    if not all(number.isdecimal() for number in numbers.values()):
        return call.fail("invalid number")
    fields, characters, width = (int(numbers[letter]) for letter in "fsw")
    write = call.out.write
    file = None
    if len(names) == 2:
        try:
            descriptor = os.open(call.path(names[1]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            return call.report_os_error(names[1], error)
        file = os.fdopen(descriptor, "wb")
        write = file.write  # type: ignore[assignment]

    def comparison_key(line: bytes) -> bytes:
        for _ in range(fields):
            stripped = line.lstrip(b" \t")
            line = stripped[len(stripped.split(None, 1)[0]) :] if stripped else b""
        line = line[characters:]
        line = line[:width] if options.has("w") else line
        return line.lower() if options.has("i") else line

    def show(line: bytes, count: int) -> None:
        if (options.has("d") and count == 1) or (options.has("u") and count > 1):
            return
        write((b"%7d " % count if options.has("c") else b"") + line + b"\n")

    first: bytes | None = None
    value = b""
    count = 0
    try:
        for line in call.lines(names[0] if names else "-"):
            line = line.removesuffix(b"\n")
            this = comparison_key(line)
            if first is not None and this == value:
                count += 1
                continue
            if first is not None:
                show(first, count)
            first, value, count = line, this, 1
        if first is not None:
            show(first, count)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        return call.report_os_error(names[0] if names else "-", error)
    finally:
        if file is not None:
            file.close()
    return 0
