"""Escape sequences of C (bash's QUOTING), in `$'…'` and in the arguments of `echo` and `printf`."""

from __future__ import annotations

from .tree import SyntaxProblem, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .lexer import Lexer

_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}


def read_ansi_quoted(lexer: Lexer) -> Text:
    """Read `$'…'`: escapes of C, octal, hexadecimal and Unicode ones, and `\\cx`."""
    text, at = lexer.text, lexer.at
    place = at + 2
    pieces: list[str] = []
    while True:
        end = place
        while end < len(text) and text[end] not in "'\\":
            end += 1
        pieces.append(text[place:end])
        if end >= len(text):
            raise SyntaxProblem("Unclosed single quote", at)
        if text[end] == "'":
            lexer.at = end + 1
            break
        piece, place = ansi_escape(text, end)
        pieces.append(piece)
    return Text(join_bytes("".join(pieces)).partition("\0")[0], True, at)


def ansi_escape(text: str, at: int, *, octal_needs_zero: bool = False) -> tuple[str, int]:
    """Return the character of the escape sequence at `at`, and the offset after it; bytes are returned as
    surrogates."""
    character = text[at + 1 : at + 2]
    if character and character in _ESCAPES:
        return _ESCAPES[character], at + 2
    if character and character in "01234567":
        start = at + 1
        longest = 4 if octal_needs_zero and character == "0" else 3
        end = _span(text, start, "01234567", longest)
        return _byte(int(text[start:end], 8) & 255), end
    if character == "x":
        end = _span(text, at + 2, "0123456789abcdefABCDEF", 2)
        return (_byte(int(text[at + 2 : end], 16)), end) if end > at + 2 else ("\\x", at + 2)
    if character in ("u", "U"):
        end = _span(text, at + 2, "0123456789abcdefABCDEF", 4 if character == "u" else 8)
        if end == at + 2:
            return "\\" + character, at + 2
        code = int(text[at + 2 : end], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd", end
    if character == "c" and at + 2 < len(text) and not octal_needs_zero:
        return chr(ord(text[at + 2]) & 0x1F), at + 3
    return "\\" + character, at + 2


def join_bytes(text: str) -> str:
    """Return `text` with each run of escaped bytes decoded if it is UTF-8."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def _byte(value: int) -> str:
    return chr(value) if value < 128 else chr(0xDC00 + value)


def _span(text: str, start: int, allowed: str, longest: int) -> int:
    end = start
    while end < min(len(text), start + longest) and text[end] in allowed:
        end += 1
    return end
