"""Patterns of the shell (POSIX 2.13): `*`, `?`, `[…]`; quoted characters are literal.

A pattern is executed as a finite automaton whose states are the bits of one integer, so that matching takes at most the
length of the pattern times that of the text. `globbing` handles slashes and leading dots.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Piece = tuple[str, bool]  # text, and whether it is quoted

_STAR = 0
_ANY = 1
_CLASSES: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": lambda c: "0" <= c <= "9",
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": lambda c: c in " \t\n\r\v\f",
    "blank": lambda c: c in " \t",
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
    "print": str.isprintable,
    "graph": lambda c: c.isprintable() and c != " ",
    "cntrl": lambda c: ord(c) < 32 or ord(c) == 127,
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


class _Set:
    """A bracket expression."""

    def __init__(self, *, negated: bool) -> None:
        self.negated = negated
        self.ranges: list[tuple[str, str]] = []
        self.classes: list[str] = []

    def holds(self, character: str) -> bool:
        found = any(first <= character <= last for first, last in self.ranges)
        found = found or any(_CLASSES[name](character) for name in self.classes)
        return found != self.negated


def has_special(pieces: Iterable[Piece]) -> bool:
    """Return whether an unquoted character of `pieces` may make it a pattern."""
    return any(not quoted and ("*" in text or "?" in text or "[" in text) for text, quoted in pieces)


class Pattern:
    """One pattern; `literal` is its text if it matches nothing else."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._elements = _parse([(character, quoted) for text, quoted in pieces for character in text])
        self.literal: str | None = None
        if all(isinstance(element, str) for element in self._elements):
            self.literal = "".join(element for element in self._elements if isinstance(element, str))
        self._stars = sum(1 << place for place, element in enumerate(self._elements) if element == _STAR)
        self._accept = 1 << len(self._elements)
        self._masks: dict[str, int] = {}

    def starts_with_dot(self) -> bool:
        return self._elements[:1] == ["."]

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches all of `text`."""
        if self.literal is not None:
            return text == self.literal
        states = self._closure(1)
        for character in text:
            states = self._step(states, character)
            if not states:
                return False
        return bool(states & self._accept)

    def prefix(self, text: str, *, longest: bool) -> int:
        """Return the length of the shortest or longest matching prefix of `text`, -1 if there is none."""
        if self.literal is not None:
            return len(self.literal) if text.startswith(self.literal) else -1
        states = self._closure(1)
        found = 0 if states & self._accept else -1
        if found == 0 and not longest:
            return 0
        if longest and self._elements[-1] == _STAR and len(self._elements) > 1:
            shortest = self.prefix(text, longest=False)
            return len(text) if shortest >= 0 else -1
        for place, character in enumerate(text):
            states = self._step(states, character)
            if not states:
                break
            if states & self._accept:
                found = place + 1
                if not longest:
                    break
        return found

    def reversed(self) -> Pattern:
        """Return the pattern for reversed texts, whose prefixes are the suffixes of this one."""
        other = Pattern(())
        other._elements = self._elements[::-1]
        other.literal = None if self.literal is None else self.literal[::-1]
        other._stars = sum(1 << place for place, element in enumerate(other._elements) if element == _STAR)
        other._accept = self._accept
        return other

    def suffix(self, text: str, *, longest: bool) -> int:
        """Return the length of the shortest or longest matching suffix of `text`, -1 if there is none."""
        return self.reversed().prefix(text[::-1], longest=longest)

    def replaced(self, text: str, replacement: str, *, every: bool) -> str:
        """Return `text` with the first, or every, longest match replaced by `replacement`."""
        if self.literal is not None:
            return text.replace(self.literal, replacement, -1 if every else 1) if self.literal else text
        pieces: list[str] = []
        at = 0
        looked_at = 0
        while at < len(text):
            states = self._closure(1)
            found = -1
            for place in range(at, len(text)):
                states = self._step(states, text[place])
                if not states:
                    break
                if states & self._accept:
                    found = place + 1
            if found > at:
                pieces.append(text[looked_at:at])
                pieces.append(replacement)
                at = looked_at = found
                if not every:
                    break
            elif states & self._stars:
                break  # the text after the star does not occur in the rest
            else:
                at += 1
        pieces.append(text[looked_at:])
        return "".join(pieces)

    def _closure(self, states: int) -> int:
        return states | (states & self._stars) << 1

    def _step(self, states: int, character: str) -> int:
        mask = self._masks.get(character)
        if mask is None:
            mask = self._masks[character] = self._mask(character)
        states = (states & mask) << 1 | states & self._stars
        return states | (states & self._stars) << 1

    def _mask(self, character: str) -> int:
        mask = 0
        for place, element in enumerate(self._elements):
            if element in (_ANY, character) or (isinstance(element, _Set) and element.holds(character)):
                mask |= 1 << place
        return mask


def _parse(characters: list[Piece]) -> list[str | int | _Set]:
    elements: list[str | int | _Set] = []
    at = 0
    no_bracket_closes = False
    while at < len(characters):
        character, quoted = characters[at]
        at += 1
        if quoted:
            elements.append(character)
        elif character == "*":
            if elements[-1:] != [_STAR]:
                elements.append(_STAR)
        elif character == "?":
            elements.append(_ANY)
        elif character == "[" and not no_bracket_closes:
            found, after = _bracket(characters, at)
            if found is None:
                no_bracket_closes = after < 0
                elements.append("[")
            else:
                elements.append(found)
                at = after
        else:
            elements.append(character)
    return elements


def _bracket(characters: list[Piece], at: int) -> tuple[_Set | None, int]:
    """Return the bracket expression whose `[` is before `at`, and where it ends; None and -1 if there is no `]`."""
    negated = at < len(characters) and characters[at] in (("!", False), ("^", False))
    found = _Set(negated=negated)
    at += negated
    first = True
    while at < len(characters):
        character, quoted = characters[at]
        if character == "]" and not quoted and not first:
            return found, at + 1
        first = False
        if character == "[" and not quoted and characters[at + 1 : at + 2] == [(":", False)]:
            end = at + 2
            while end < len(characters) and end < at + 12 and characters[end][0] != ":":
                end += 1
            name = "".join(c for c, _ in characters[at + 2 : end])
            if characters[end : end + 2] == [(":", False), ("]", False)] and name in _CLASSES:
                found.classes.append(name)
                at = end + 2
                continue
        is_range = characters[at + 1 : at + 2] == [("-", False)] and at + 2 < len(characters)
        if is_range and characters[at + 2] != ("]", False):
            found.ranges.append((character, characters[at + 2][0]))
            at += 3
        else:
            found.ranges.append((character, character))
            at += 1
    return None, -1
