"""grep, with basic, extended and fixed patterns, matched by the C library."""

from __future__ import annotations

import os

from ..state import decoded, encoded
from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from .calls import Call, Options

    class Finder(Protocol):
        def matches(self, text: bytes, /) -> bool: ...
        def spans(self, text: bytes, /) -> Iterator[tuple[int, int]]: ...


_LONG = {
    "ignore-case": "i",
    "invert-match": "v",
    "count": "c",
    "line-number": "n",
    "quiet": "q",
    "silent": "q",
    "files-with-matches": "l",
    "files-without-match": "L",
    "only-matching": "o",
    "no-messages": "s",
    "recursive": "r",
    "dereference-recursive": "R",
    "word-regexp": "w",
    "line-regexp": "x",
    "no-filename": "h",
    "with-filename": "H",
    "extended-regexp": "E",
    "fixed-strings": "F",
    "basic-regexp": "G",
    "regexp": "e",
    "max-count": "m",
    "after-context": "A",
    "before-context": "B",
    "context": "C",
    "file": "f",
    "include": "1",
    "exclude": "2",
    "exclude-dir": "3",
    "color": "4",
    "colour": "4",
    "text": "a",
}
_SPECIAL = frozenset(rb"\\.[]*^$+?{}|()")


def _with_context(words: list[str]) -> list[str]:
    """Replace `-2` by the equivalent `-C2`."""
    found: list[str] = []
    for place, word in enumerate(words):
        if word == "--":
            return found + words[place:]
        is_value = place > 0 and words[place - 1] in ("-e", "-f", "-m", "-A", "-B", "-C")
        is_number = word[:1] == "-" and word[1:].isascii() and word[1:].isdecimal()
        found.append(f"-C{word[1:]}" if is_number and not is_value else word)
    return found


def grep(call: Call) -> int:
    return _grep(call, "")


def egrep(call: Call) -> int:
    return _grep(call, "E")


def fgrep(call: Call) -> int:
    return _grep(call, "F")


def _grep(call: Call, kind: str) -> int:
    call.arguments = _with_context(call.arguments)
    options = call.options("iyvcnqlLosrRwxhHEFGabIU4", "emABCf123", _LONG)
    if options.has("y"):
        options.add("i", "")
    if options.get("4", "never") not in ("never", "auto", "") or options.has("b"):
        raise NotCovered("left to the system's grep", status=2)
    operands = list(options.operands)
    patterns = [value for letter, value in options.order if letter == "e"]
    for name in [value for letter, value in options.order if letter == "f"]:
        try:
            patterns += (decoded(line.removesuffix(b"\n")) for line in call.lines(name))
        except (OSError, ValueError) as error:
            call.report_os_error(name, error)
            return 2
    if not patterns and not options.has("f"):
        if not operands:
            return call.fail("usage: grep [OPTION]... PATTERNS [FILE]...", 2)
        patterns = [operands.pop(0)]
    kind = next((letter for letter, _ in reversed(options.order) if letter in "EFG"), kind)
    from ..posix_regex import BadExpression

    try:
        search = _Search(call, options, _compile(patterns, options, kind))
    except BadExpression as error:
        return call.fail(str(error), 2)
    is_deep = options.has("r") or options.has("R")
    names = operands or (["."] if is_deep else ["-"])
    if is_deep:
        several = True
        files = [path for name in names for path in search.below(name, listed=bool(operands))]
    else:
        several = len(names) > 1
        files = names
    search.shows_names = (several or options.has("H")) and not options.has("h")
    for name in files:
        search.file(name)
        if search.found_any and options.has("q"):
            return 0
    if search.failed:
        return 2
    return 0 if search.found_any else 1


def _compile(patterns: list[str], options: Options, kind: str) -> Finder:
    """Return an object that finds the patterns. Raises BadExpression."""
    pieces = [encoded(piece) for pattern in patterns for piece in pattern.split("\n")]
    ignores_case, whole, words = options.has("i"), options.has("x"), options.has("w")
    plain = kind == "F" or not any(byte in _SPECIAL for piece in pieces for byte in piece)
    if plain and len(pieces) == 1 and not (ignores_case or whole or words):
        return _Plain(pieces[0])
    from ..posix_regex import PosixRegex

    if kind == "F":
        pieces = [b"".join(b"\\" + bytes([byte]) if byte in _SPECIAL else bytes([byte]) for byte in p) for p in pieces]
    extended = kind in ("E", "F")
    if whole or words:
        before, after = (b"^", b"$") if whole else (rb"\b", rb"\b")
        group = (b"(", b")") if extended else (rb"\(", rb"\)")
        pieces = [before + group[0] + piece + group[1] + after for piece in pieces]
    found = [PosixRegex(piece, extended=extended, ignores_case=ignores_case) for piece in pieces]
    return found[0] if len(found) == 1 else _Several(found)


class _Plain:
    """Finds literal text."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def matches(self, line: bytes) -> bool:
        return self._text in line

    def spans(self, line: bytes) -> Iterator[tuple[int, int]]:
        at = line.find(self._text)
        while at >= 0 and self._text:
            yield at, at + len(self._text)
            at = line.find(self._text, at + len(self._text))


class _Several:
    """Finds the first and longest match of several expressions."""

    def __init__(self, expressions: Sequence[Finder]) -> None:
        self._expressions = expressions

    def matches(self, line: bytes) -> bool:
        return any(expression.matches(line) for expression in self._expressions)

    def spans(self, line: bytes) -> Iterator[tuple[int, int]]:
        found = sorted((start, -end) for expression in self._expressions for start, end in expression.spans(line))
        done = 0
        for start, end in found:
            if start >= done:
                done = -end
                yield start, done


class _Search:
    def __init__(self, call: Call, options: Options, pattern: Finder) -> None:
        self._call = call
        self._options = options
        self._pattern = pattern
        self.found_any = False
        self.failed = False
        self.shows_names = False
        after = options.get("A") or options.get("C")
        before = options.get("B") or options.get("C")
        for text in (after, before, options.get("m")):
            if text and not text.isdecimal():
                raise NotCovered(f"{text}: invalid context length argument", status=2)
        self._after = int(after or 0)
        self._before = int(before or 0)
        self._most = int(options.get("m") or -1)

    def below(self, name: str, *, listed: bool) -> Iterator[str]:
        """Yield the files at or below `name`, in a fixed order."""
        from ..patterns import Pattern

        wanted = [Pattern([(value, False)]) for letter, value in self._options.order if letter == "1"]
        unwanted = [Pattern([(value, False)]) for letter, value in self._options.order if letter == "2"]
        skipped = [Pattern([(value, False)]) for letter, value in self._options.order if letter == "3"]
        if not os.path.isdir(self._call.path(name)):
            yield name
            return
        waiting = [name]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(self._call.path(folder)) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError as error:
                self._refuse(folder, error)
                continue
            below: list[str] = []
            for entry in entries:
                shown = f"{folder.rstrip('/')}/{entry.name}" if listed or folder != "." else entry.name
                if entry.is_dir(follow_symlinks=self._options.has("R")):
                    if not any(pattern.matches(entry.name) for pattern in skipped):
                        below.append(shown)
                elif entry.is_file():
                    if wanted and not any(pattern.matches(entry.name) for pattern in wanted):
                        continue
                    if not any(pattern.matches(entry.name) for pattern in unwanted):
                        yield shown
            waiting += reversed(below)

    def _refuse(self, name: str, error: OSError | ValueError) -> None:
        self.failed = True
        if not self._options.has("s"):
            self._call.report_os_error(name, error)

    def file(self, name: str) -> None:
        options, out = self._options, self._call.out
        shown = encoded("(standard input)" if name == "-" else name)
        count = 0
        number = 0
        waiting: list[tuple[int, bytes]] = []
        due = 0
        last_shown = 0
        prints = not any(options.has(letter) for letter in "cqlL")
        shows_bytes = options.has("a") or options.has("U")
        is_binary = False
        try:
            for line in self._call.lines(name):
                number += 1
                body = line.removesuffix(b"\n")
                if b"\0" in body and not is_binary and not shows_bytes:
                    is_binary = True
                    if options.has("I"):
                        break
                if self._pattern.matches(body) == options.has("v"):
                    if due and prints:
                        self._print(shown, number, body, b"-")
                        last_shown = number
                        due -= 1
                    elif self._before:
                        waiting.append((number, body))
                        del waiting[: -self._before]
                    continue
                if count == self._most:
                    break
                count += 1
                if options.has("q") or options.has("l"):
                    break
                if prints and is_binary:
                    self._call.complain(f"{decoded(shown)}: binary file matches")
                    break
                if prints:
                    if (self._after or self._before) and last_shown:
                        first = waiting[0][0] if waiting else number
                        if first > last_shown + 1:
                            out.write(b"--\n")
                    for at, text in waiting:
                        self._print(shown, at, text, b"-")
                    waiting.clear()
                    self._print(shown, number, body, b":")
                    last_shown = number
                    due = self._after
                    if count == self._most and not due:
                        break
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            self._refuse(name, error)
            return
        if count and not options.has("L"):
            self.found_any = True
        if options.has("L") and not count:
            self.found_any = True
            out.write(shown + b"\n")
        elif options.has("l") and count and not options.has("q"):
            out.write(shown + b"\n")
        elif options.has("c"):
            out.write((shown + b":" if self.shows_names else b"") + b"%d\n" % count)

    def _print(self, name: bytes, number: int, line: bytes, mark: bytes) -> None:
        options, out = self._options, self._call.out
        head = name + mark if self.shows_names else b""
        if options.has("n"):
            head += b"%d" % number + mark
        if not options.has("o"):
            out.write(head + line + b"\n")
        elif mark == b":" and not options.has("v"):
            for start, end in self._pattern.spans(line):
                out.write(head + line[start:end] + b"\n")
