"""File modes in the syntax of `chmod`, `mkdir -m` and `umask`."""

from __future__ import annotations

_WHO = {"u": 0o700, "g": 0o070, "o": 0o007, "a": 0o777}
_BITS = {"r": 0o444, "w": 0o222, "x": 0o111}


def changed_mode(text: str, mode: int, mask: int) -> int | None:
    """Apply `text` (octal, or symbolic such as `u=rwx,go-w`) to `mode`; None if it is invalid."""
    if text.isdecimal():
        return int(text, 8) if all("0" <= digit <= "7" for digit in text) and int(text, 8) <= 0o7777 else None
    for clause in text.split(","):
        at = 0
        who = 0
        while at < len(clause) and clause[at] in _WHO:
            who |= _WHO[clause[at]]
            at += 1
        if at >= len(clause):
            return None
        allowed = who or 0o777 & ~mask
        while at < len(clause):
            operator = clause[at]
            at += 1
            bits = 0
            while at < len(clause) and clause[at] in "rwxXst":
                bits |= _BITS.get("x" if clause[at] == "X" else clause[at], 0)
                at += 1
            if operator == "+":
                mode |= bits & allowed
            elif operator == "-":
                mode &= ~(bits & allowed)
            elif operator == "=":
                mode = mode & ~(who or 0o777) | bits & allowed
            else:
                return None
    return mode
