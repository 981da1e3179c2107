"""Whether a command line is plainly a program's, so that V8 starts on a thread while the rest of rt is imported.

A guess that costs nothing when it is wrong: what the words mean is decided by `arguments` and `target` as ever, and V8's
thread is waited for before anything is forked. Doubtful cases are left alone: flags may choose another way to start V8.
"""

from __future__ import annotations

import os

from ..vocabulary.extensions import EXTENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_EVALUATES = ("-e", "--eval", "-p", "--print")
_CONFIG = "rtfig.toml"


def needs_v8(argv: Sequence[str], called_as: str) -> bool:
    """Whether `argv` (without the program's name) looks like a program that V8 runs with its usual flags."""
    return is_program(argv, called_as) and "--smol" not in argv and not _may_save_memory()


def is_program(argv: Sequence[str], called_as: str) -> bool:
    """Whether `argv` begins with code to evaluate, or with an existing source file that comes before a script."""
    words = argv[1:] if argv[:1] == ["run"] else argv
    if not words:
        return False
    word = words[0]
    if word in _EVALUATES:
        return True
    may_be_script = called_as != "node" and (word is not argv[0] and not word.startswith(("/", "./", "../")))
    has_extension = os.path.splitext(word)[1] in EXTENSIONS
    return has_extension and not may_be_script and not word.startswith("-") and os.path.isfile(word)


def _may_save_memory() -> bool:
    """Whether the config file may hold `smol`, which starts V8 with flags of its own."""
    try:
        with open(_CONFIG, "rb") as file:
            return b"smol" in file.read()
    except OSError:
        return False
