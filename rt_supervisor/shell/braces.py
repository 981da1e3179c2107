"""Brace expansion: `{a,b}` and `{1..9..2}` turn one word into several, before all other expansions (as in bash).

Purely syntactic: braces that are quoted or result from an expansion are not expanded.
"""

from __future__ import annotations

from .problems import ShellProblem
from .tree import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .tree import Part, Word

    Atom = str | Part  # an unquoted character, or anything else

MOST_WORDS = 200_000
MOST_NESTED = 200


def expand_braces(word: Word) -> list[list[Part]]:
    """Return the parts of each word into which `word` expands, in order."""
    atoms: list[Atom] = []
    for part in word.parts:
        if isinstance(part, Text) and not part.quoted:
            atoms.extend(part.text)
        else:
            atoms.append(part)
    return [_parts(found) for found in _expand(atoms, 0)]


def _parts(atoms: Sequence[Atom]) -> list[Part]:
    parts: list[Part] = []
    run: list[str] = []
    for atom in atoms:
        if isinstance(atom, str):
            run.append(atom)
            continue
        if run:
            parts.append(Text("".join(run), False, 0))
            run = []
        parts.append(atom)
    if run:
        parts.append(Text("".join(run), False, 0))
    return parts


def _expand(atoms: Sequence[Atom], depth: int) -> list[list[Atom]]:
    if depth > MOST_NESTED:
        raise ShellProblem("braces are nested too deep")
    closing = _pairs(atoms)
    if not closing:
        return [list(atoms)]
    results: list[list[Atom]] = [[]]
    at = plain = 0
    while at < len(atoms):
        end = closing.get(at)
        if end is None:
            at += 1
            continue
        found = _alternatives(atoms, at, end, depth)
        if found is None:
            at += 1
            continue
        before = list(atoms[plain:at])
        if len(results) * len(found) > MOST_WORDS:
            raise ShellProblem(f"braces make more than {MOST_WORDS} words")
        results = [result + before + alternative for result in results for alternative in found]
        at = plain = end + 1
    tail = list(atoms[plain:])
    return [result + tail for result in results] if tail else results


def _pairs(atoms: Sequence[Atom]) -> dict[int, int]:
    """Return the position of the closing brace for that of each opening brace."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for place, atom in enumerate(atoms):
        if atom == "{":
            opened.append(place)
        elif atom == "}" and opened:
            pairs[opened.pop()] = place
    return pairs


def _alternatives(atoms: Sequence[Atom], at: int, end: int, depth: int) -> list[list[Atom]] | None:
    """Return the alternatives between the braces at `at` and `end`; None if the braces are literal."""
    if end - at > 2 and not any(atom == "," for atom in atoms[at + 1 : end]):
        inner = atoms[at + 1 : end]
        if all(isinstance(atom, str) for atom in inner):
            return _sequence("".join(atom for atom in inner if isinstance(atom, str)))
        return None
    starts = [at + 1]
    level = 0
    for place in range(at + 1, end):
        atom = atoms[place]
        if atom == "{":
            level += 1
        elif atom == "}":
            level -= 1
        elif atom == "," and level == 0:
            starts.append(place + 1)
    if len(starts) == 1:
        return None
    ends = [start - 1 for start in starts[1:]] + [end]
    found: list[list[Atom]] = []
    for start, stop in zip(starts, ends, strict=True):
        found += _expand(atoms[start:stop], depth + 1)
    return found


def _sequence(text: str) -> list[list[Atom]] | None:
    pieces = text.split("..")
    if len(pieces) not in (2, 3):
        return None
    step = _number(pieces[2]) if len(pieces) == 3 else 1
    first, last = _number(pieces[0]), _number(pieces[1])
    if step is None:
        return None
    if first is None or last is None:
        if not all(len(piece) == 1 and piece.isascii() and piece.isalpha() for piece in pieces[:2]):
            return None
        return [[chr(code)] for code in _range(ord(pieces[0]), ord(pieces[1]), step)]
    width = 0
    if any(len(piece.lstrip("-")) > 1 and piece.lstrip("-").startswith("0") for piece in pieces[:2]):
        width = max(len(piece) for piece in pieces[:2])
    return [list(str(number).zfill(width)) for number in _range(first, last, step)]


def _range(first: int, last: int, step: int) -> range:
    step = abs(step) or 1
    found = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    if len(found) > MOST_WORDS:
        raise ShellProblem(f"braces make more than {MOST_WORDS} words")
    return found


def _number(text: str) -> int | None:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
