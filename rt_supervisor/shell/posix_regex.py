"""Regular expressions of the C library (POSIX 9) for `[[ =~ ]]` and grep, with the same results as in bash and GNU
grep.

The C library does not backtrack, so no pattern of a script takes exponential time, as it may with Python's `re`.
Imported at the first use of an expression.
"""

from __future__ import annotations

import ctypes
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EXTENDED, _IGNORE_CASE, _NOT_AT_START = 1, 2, 1
_STRUCTURE_BYTES = 512  # regex_t is 64 bytes with glibc, less elsewhere
_MOST_GROUPS = 10
_BRACKETS = re.compile(rb"\[\^?\]?(?:\[[:.=][^]]*[:.=]\]|[^]])*\]")
_GROUP_OPENS = {True: re.compile(rb"(?<!\\)(?:\\\\)*\("), False: re.compile(rb"(?<!\\)(?:\\\\)*\\\(")}


class _Span(ctypes.Structure):
    _fields_ = [("start", ctypes.c_int), ("end", ctypes.c_int)]


class BadExpression(Exception):
    """The text is not a regular expression; the message is that of the C library."""


class PosixRegex:
    """One expression. Texts must not contain NUL: matching would stop there."""

    def __init__(self, source: bytes, *, extended: bool, ignores_case: bool = False) -> None:
        """Raises BadExpression."""
        self._library = ctypes.CDLL(None)
        self._compiled = ctypes.create_string_buffer(_STRUCTURE_BYTES)
        flags = (_EXTENDED if extended else 0) | (_IGNORE_CASE if ignores_case else 0)
        error = self._library.regcomp(self._compiled, source, flags)
        if error:
            message = ctypes.create_string_buffer(200)
            self._library.regerror(error, self._compiled, message, 200)
            self._compiled = None  # type: ignore[assignment]
            raise BadExpression(message.value.decode("utf-8", "replace"))
        self._spans = (_Span * _MOST_GROUPS)()
        self._count = min(_MOST_GROUPS, 1 + len(_GROUP_OPENS[extended].findall(_BRACKETS.sub(b"", source))))
        self._execute = self._library.regexec

    def __del__(self) -> None:
        if getattr(self, "_compiled", None) is not None:
            self._library.regfree(self._compiled)

    def matches(self, text: bytes) -> bool:
        """Return whether the expression matches anywhere in `text`."""
        return bool(self._execute(self._compiled, text, 0, None, 0) == 0)

    def groups(self, text: bytes) -> list[bytes] | None:
        """Return the match and its groups, b"" for a group that did not participate; None if there is no match."""
        if self._execute(self._compiled, text, _MOST_GROUPS, self._spans, 0) != 0:
            return None
        return [text[span.start : span.end] if span.start >= 0 else b"" for span in self._spans[: self._count]]

    def spans(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Yield where each match begins and ends, in order, without empty matches."""
        at = 0
        while at <= len(text):
            flags = _NOT_AT_START if at else 0
            if self._execute(self._compiled, text[at:], 1, self._spans, flags) != 0:
                return
            start, end = self._spans[0].start, self._spans[0].end
            if end > start:
                yield at + start, at + end
            at += max(end, 1) if end > start else start + 1
