"""echo, printf, yes."""

from __future__ import annotations

from ..ansi_quoting import ansi_escape, join_bytes
from ..quoting import PLAIN
from ..state import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_CONVERSIONS = "diouxXeEfFgGaAcsbq%"


def quote_for_shell(text: str, *, always: bool = False) -> str:
    """Quote `text` for a shell."""
    if text and not always and all(character in PLAIN for character in text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def echo(call: Call) -> int:
    """bash's echo: `-n`, `-e` and `-E` are options, everything else is text."""
    arguments = call.arguments
    newline, escapes = "\n", False
    first = 0
    for word in arguments:
        if len(word) < 2 or word[0] != "-" or not all(letter in "neE" for letter in word[1:]):
            break
        first += 1
        for letter in word[1:]:
            if letter == "n":
                newline = ""
            else:
                escapes = letter == "e"
    text = " ".join(arguments[first:] if first else arguments)
    if escapes:
        text, stopped = process_escapes(text)
        newline = "" if stopped else newline
    call.out.write(encoded(text + newline))
    return 0


def process_escapes(text: str, *, is_operand: bool = False) -> tuple[str, bool]:
    """Process the escapes in `text` of `echo -e` or, with `is_operand`, of `%b`; return the result and whether `\\c`
    ended it."""
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    at = 0
    while True:
        end = text.find("\\", at)
        if end < 0 or end + 1 >= len(text):
            pieces.append(text[at:])
            return join_bytes("".join(pieces)), False
        pieces.append(text[at:end])
        following = text[end + 1]
        if following == "c":
            return join_bytes("".join(pieces)), True
        if following in "\"'?" or (not is_operand and following in "1234567"):
            pieces.append("\\" + following)
            at = end + 2
            continue
        piece, at = ansi_escape(text, end, octal_needs_zero=True)
        pieces.append(piece)


def printf(call: Call) -> int:
    """POSIX `printf`, with bash's `%q`, `%b`, `-v name`."""
    arguments = call.arguments
    target = None
    if arguments[:1] == ["-v"] and len(arguments) > 1:
        target, arguments = arguments[1], arguments[2:]
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments:
        return call.fail("usage: printf [-v var] format [arguments]", 2)
    printed = _Printf(call, arguments[0], arguments[1:])
    text = join_bytes(printed.run())
    if target is not None:
        call.state.variables.set(target, text)
    else:
        call.out.text(text)
    return printed.status


class _Printf:
    """One call of printf. The format is reused as long as there are arguments."""

    def __init__(self, call: Call, format_: str, arguments: list[str]) -> None:
        self._call = call
        self._format = format_
        self._arguments = arguments
        self._at = 0
        self._stopped = False
        self.status = 0

    def run(self) -> str:
        pieces: list[str] = []
        while True:
            before = self._at
            self._once(pieces)
            if self._stopped or self._at >= len(self._arguments) or self._at == before:
                return "".join(pieces)

    def _next(self) -> str | None:
        if self._at >= len(self._arguments):
            return None
        self._at += 1
        return self._arguments[self._at - 1]

    def _once(self, pieces: list[str]) -> None:
        text = self._format
        at = 0
        while at < len(text) and not self._stopped:
            character = text[at]
            if character == "\\":
                if text[at + 1 : at + 2] == "c":
                    self._stopped = True
                    return
                piece, at = ansi_escape(text, at)
                pieces.append(piece)
            elif character == "%":
                at = self._conversion(at, pieces)
            else:
                end = at + 1
                while end < len(text) and text[end] not in "\\%":
                    end += 1
                pieces.append(text[at:end])
                at = end

    def _conversion(self, at: int, pieces: list[str]) -> int:
        text = self._format
        end = at + 1
        flags = ""
        while end < len(text) and text[end] in "-+ #0'":
            flags += text[end]
            end += 1
        width, end = self._number_at(end)
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        precision = None
        if text[end : end + 1] == ".":
            precision, end = self._number_at(end + 1)
            precision = 0 if precision is None else precision
        while text[end : end + 1] in ("l", "h", "j", "z", "t", "L"):
            end += 1
        kind = text[end : end + 1]
        if kind == "(" and (closing := text.find(")T", end)) > 0:
            pieces.append(_pad(self._moment(text[end + 1 : closing]), width, "-" in flags))
            return closing + 2
        if kind not in _CONVERSIONS or not kind:
            self._call.complain(f"`{text[at : end + 1]}': invalid format character")
            self.status = 1
            self._stopped = True
            return len(text)
        pieces.append(self._convert(kind, flags, width, precision))
        return end + 1

    def _moment(self, form: str) -> str:
        """Return the time for `%(form)T`: the argument is in seconds; -1 or no argument means now."""
        import time

        argument = self._next()
        seconds = self._integer(argument) if argument is not None else -1
        return time.strftime(form or "%X", time.localtime(time.time() if seconds in (-1, -2) else seconds))

    def _number_at(self, at: int) -> tuple[int | None, int]:
        text = self._format
        if text[at : at + 1] == "*":
            return self._integer(self._next() or "0"), at + 1
        end = at
        while end < len(text) and text[end].isdecimal():
            end += 1
        return (min(int(text[at:end]), 1 << 24) if end > at else None), end

    def _convert(self, kind: str, flags: str, width: int | None, precision: int | None) -> str:
        if kind == "%":
            return "%"
        argument = self._next()
        if kind in "sbcq":
            value = argument or ""
            if kind == "c":
                value = value[:1] or "\0"
            elif kind == "q":
                value = _escape_backslashes(value)
            elif kind == "b":
                value, self._stopped = process_escapes(value, is_operand=True)
            if precision is not None and precision >= 0:
                value = value[:precision]
            return _pad(value, width, "-" in flags)
        if kind in "diouxX":
            return self._whole(kind, flags, width, precision, self._integer(argument or ""))
        try:
            number = float(argument or "0")
        except ValueError:
            number = self._bad_number(argument or "", 0.0)
        fixed = "".join(flag for flag in flags if flag in "-+ #0")
        spec = f"%{fixed}{'' if width is None else width}{'' if precision is None else f'.{precision}'}{kind}"
        return spec % number if kind not in "aA" else number.hex()

    def _whole(self, kind: str, flags: str, width: int | None, precision: int | None, value: int) -> str:
        if kind in "ouxX" and value < 0:
            value += 1 << 64
        digits = {"o": f"{abs(value):o}", "x": f"{abs(value):x}", "X": f"{abs(value):X}"}.get(kind, str(abs(value)))
        if precision is not None:
            digits = digits.rjust(precision, "0")
        prefix = (
            "-" if value < 0 else "+" if "+" in flags and kind in "di" else " " if " " in flags and kind in "di" else ""
        )
        if "#" in flags and value:
            prefix += {"o": "0", "x": "0x", "X": "0X"}.get(kind, "")
        if "0" in flags and "-" not in flags and precision is None and width is not None:
            digits = digits.rjust(width - len(prefix), "0")
        return _pad(prefix + digits, width, "-" in flags)

    def _integer(self, text: str) -> int:
        stripped = text.strip()
        if stripped[:1] in ("'", '"'):
            return ord(stripped[1]) if len(stripped) > 1 else 0
        if not stripped:
            return 0
        sign = -1 if stripped[0] == "-" else 1
        digits = stripped[1:] if stripped[0] in "+-" else stripped
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits.startswith("0") and len(digits) > 1 else 10
        body = digits[2:] if base == 16 else digits
        length = 0
        allowed = "0123456789abcdefABCDEF" if base == 16 else "01234567" if base == 8 else "0123456789"
        while length < len(body) and body[length] in allowed:
            length += 1
        value = sign * int(body[:length], base) if 0 < length < 4000 else 0
        if length < len(body) or not length:
            self._bad_number(text, 0.0)
        return max(-(1 << 63), min(value, (1 << 64) - 1))

    def _bad_number(self, text: str, value: float) -> float:
        self._call.out.flush()
        self._call.complain(f"{text}: invalid number")
        self.status = 1
        return value


def _pad(text: str, width: int | None, left: bool) -> str:
    if width is None:
        return text
    return text.ljust(width) if left else text.rjust(width)


def quote_visibly(text: str) -> str:
    """Return `text` in single quotes, with non-printable characters escaped (`${x@Q}`)."""
    return _quote_ansi(text) if _has_controls(text) else quote_for_shell(text, always=True)


def _has_controls(text: str) -> bool:
    return any(ord(character) < 32 or ord(character) == 127 for character in text)


def _quote_ansi(text: str) -> str:
    return (
        "$'" + "".join(_WRITTEN.get(c, c if ord(c) >= 32 and ord(c) != 127 else f"\\{ord(c):03o}") for c in text) + "'"
    )


_WRITTEN = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
_WRITTEN |= {"\x1b": "\\E", "'": "\\'", "\\": "\\\\"}


def _escape_backslashes(text: str) -> str:
    if not text:
        return "''"
    if _has_controls(text):
        return _quote_ansi(text)
    return "".join(c if c in PLAIN or ord(c) > 127 else "\\" + c for c in text)


def yes(call: Call) -> int:
    words = call.arguments[1:] if call.arguments[:1] == ["--"] else call.arguments
    line = encoded(" ".join(words or ["y"])) + b"\n"
    block = line * max(1, (1 << 15) // len(line))
    while True:
        call.out.write(block)
        call.out.flush()
