"""Recognises commands that only run rt with a source file: they need neither a shell nor a whole process of rt.

A command is recognised if no shell would interpret any part of it and `rt` means this rt. The program gets the
environment that the shell would have passed on. In doubt, the command is left to the shell.
"""

from __future__ import annotations

import os

from ..settings.environment import DEFAULT_PATH, find_executable
from ..settings.target import find_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = ("rt", "node")  # the names of rt; `node` if --rt has put a link on PATH
RUNNABLE = (".tsx", ".ts", ".jsx", ".cts", ".cjs", ".js", ".mjs", ".mts")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+")
_IN_DOUBLE_QUOTES = _PLAIN | frozenset(" #?*[]{}()<>|&;'~^")
_SHELLS = ("bash", "dash")
# If one of these is set, a shell does not only execute the command.
_SHELL_CHANGING = ("BASH_ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "BASH_COMPAT", "BASH_XTRACEFD")


def program_of(
    argv: Sequence[str], *, folder: str, environment: Mapping[str, str], executable: str
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the equivalent command line of rt (program first) for `argv` in `folder`, () if there is none, and its
    environment.

    `argv` is rt itself (`executable`) with a file, or a shell with `-c` and a command. The program is the word for rt
    in it: a path, or a name that is found on PATH of the environment.
    """
    if len(argv) == 2 and argv[0] == executable:
        return (tuple(argv) if _is_source(argv[1], folder) else ()), environment
    if len(argv) != 3 or argv[1] != "-c":
        return (), environment
    words = simple_words(argv[2])
    if not words or words[0] not in NAMES or not _names_a_source(words, folder):
        return (), environment
    shell = os.path.basename(os.path.realpath(argv[0]))
    if shell not in _SHELLS or not _is_ordinary(environment):
        return (), environment
    found = program_path(words[0], environment)
    if found is None or not os.path.isabs(found) or os.path.realpath(found) != os.path.realpath(executable):
        return (), environment
    return tuple(words), _passed_environment(shell, found, folder, environment)


def program_path(word: str, environment: Mapping[str, str]) -> str | None:
    """Return the path of the program that `word` names: `word` itself, or the file found on PATH of `environment`."""
    return word if "/" in word else find_executable(word, environment.get("PATH") or DEFAULT_PATH)


def simple_words(text: str) -> list[str]:
    """Return the words of a command that contains no shell syntax except blanks and quotes; [] for any other."""
    words: list[str] = []
    word: str | None = None
    quote = ""
    for character in text:
        if quote:
            if character == quote:
                quote = ""
            elif character in "\0\n" or (quote == '"' and character not in _IN_DOUBLE_QUOTES):
                return []
            else:
                word = (word or "") + character
        elif character in "\"'":
            quote = character
            word = word or ""
        elif character in " \t":
            if word is not None:
                words.append(word)
            word = None
        elif character in _PLAIN:
            word = (word or "") + character
        else:
            return []
    if quote:
        return []
    if word is not None:
        words.append(word)
    return words


def _names_a_source(words: Sequence[str], folder: str) -> bool:
    first = 2 if words[:2] == ["rt", "run"] else 1
    return len(words) > first and not words[first].startswith("-") and _is_source(words[first], folder)


def _is_source(word: str, folder: str) -> bool:
    """Return whether `word` is a path or ends in a source extension, and leads to a source file."""
    if not word.startswith(("/", "./", "../")) and os.path.splitext(word)[1] not in RUNNABLE:
        return False
    try:
        found = find_file(word, folder)
    except (OSError, ValueError):
        return False
    return found is not None and os.path.splitext(found)[1] in RUNNABLE


def _is_ordinary(environment: Mapping[str, str]) -> bool:
    """Return whether a shell with `environment` only does what `_passed_environment` describes."""
    if any(name in environment for name in _SHELL_CHANGING):
        return False
    if any(name.startswith("BASH_FUNC_") for name in environment):
        return False
    level = environment.get("SHLVL", "0")
    return level.isascii() and level.isdecimal() and len(level) < 3 and not drops_old_folder(environment.get("OLDPWD"))


def drops_old_folder(folder_before: str | None) -> bool:
    """Return whether a shell drops the variable OLDPWD with the value `folder_before`: it does unless that is a folder."""
    return folder_before is not None and not os.path.isdir(folder_before)


def _passed_environment(shell: str, program: str, folder: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that `shell` in `folder` passes to the last `program` of its command."""
    changes = {"PWD": environment.get("PWD", "")}
    if not os.path.isabs(changes["PWD"]) or not is_same_folder(changes["PWD"], folder):
        changes["PWD"] = os.path.realpath(folder)
    if shell == "bash":
        changes["SHLVL"] = str(
            int(environment.get("SHLVL", "0"))
        )  # the shell increments it, and decrements it before it executes the program
        changes["_"] = program
    return {**environment, **changes}


def is_same_folder(one: str, other: str) -> bool:
    """Return whether both paths lead to the same existing folder."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
