"""RT_OPTIONS: arguments that precede those of every command line, as in a shell's words."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """Return the words of `text`, without their quotes; a quote that is not closed is a character like any other."""
    if not any(character in text for character in "'\"\\"):
        return text.split()
    import shlex

    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
