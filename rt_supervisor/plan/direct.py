"""Commands that need no shell: one program with plain words, executed as bash would have executed it.

GNU make does the same, but here no difference is visible: the program gets the environment that bash would have passed on,
and if the system cannot execute the file, bash is started after all and reports why (`native/guardian/src/spawn.rs`). Text
that a shell could interpret (syntax, builtins, keywords, assignments, variables that change bash) is left to the shell.
"""

from __future__ import annotations

import os

from ..settings.environment import DEFAULT_PATH, is_executable
from ..start.dependencies import depend_on
from .program_text import drops_old_folder, is_same_folder, simple_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..start.dependencies import Variables

SHELL = "bash"
KEYWORDS = "! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while"
BUILTINS = (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable"
    " eval exec exit export fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read"
    " readarray readonly return set shift shopt source suspend test times trap type typeset ulimit umask unalias unset wait"
)
# Builtins that print nothing without words: the system's program of that name ends with the same status.
SILENT = ("true", "false")
SYSTEM_FOLDERS = ("/usr/bin", "/bin")
_SHELLS_OWN = frozenset((*KEYWORDS.split(), *BUILTINS.split()))
# Variables that bash resets if it finds them in its environment, or reads before it executes a program.
DECIDING = (
    "SHELLOPTS", "POSIXLY_CORRECT", "COMP_WORDBREAKS", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "EXECIGNORE",
    "FUNCNAME", "GROUPS", "HISTCMD", "IFS", "LINENO", "OPTARG", "OPTERR", "OPTIND", "PIPESTATUS", "PPID", "PS1", "PS2", "RANDOM", "SECONDS",
    "SRANDOM", "UID",
)  # fmt: skip
WHOLE_PROCESSES = "RT_WHOLE_PROCESSES"  # disables direct commands and engine workers, to compare
FAMILY = "BASH"  # BASH_ENV, BASH_FUNC_name%%, BASHOPTS ...


class DirectCommands:
    """The direct commands of one run, whose environments differ only in PATH and in npm's variables."""

    def __init__(self, environment: Variables, names: Sequence[str] | Mapping[str, str]) -> None:
        """`environment` is that of the run, `names` are the names of all its variables."""
        self._level = self._shell_level(environment, names)
        self._here = os.getcwd()
        self._shells: dict[str, bool] = {}
        self._words: dict[str, list[str]] = {}
        self._executable: dict[str, bool] = {}

    @staticmethod
    def _shell_level(environment: Variables, names: Sequence[str] | Mapping[str, str]) -> str | None:
        """Return SHLVL as bash passes it on; None if the environment makes bash do more than execute a text."""
        if environment.get(WHOLE_PROCESSES) or any(name.startswith(FAMILY) for name in names):
            return None
        found = [environment.get(name) for name in DECIDING]  # reads all of them, so that all are recorded
        if any(value is not None for value in found):
            return None
        level, before = environment.get("SHLVL"), environment.get("OLDPWD")
        # On the first level, bash reads .bashrc if it assumes that a remote shell daemon started it.
        is_inner = level is not None and level.isascii() and level.isdecimal() and len(level) < 3 and int(level) > 0
        return level if is_inner and not drops_old_folder(before and depend_on(before)) else None

    def of(
        self, argv: Sequence[str], folder: str, *, path: str | None, working_folder: str | None
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """Return the file and words that `argv`, a shell with `-c` and a text, executes, and what bash sets; () if it needs bash.

        `path` and `working_folder` are PATH and PWD of the shell.
        """
        if self._level is None or len(argv) != 3 or argv[1] != "-c" or not self._is_bash(argv[0]):
            return (), {}
        words = self._words.get(argv[2])
        if words is None:
            words = self._words[argv[2]] = plain_command(argv[2])
        file = self._file(words, folder, path or DEFAULT_PATH) if words else None
        if file is None:
            return (), {}
        left = self._working_folder(working_folder or "", folder)
        return (file, *words), {"PWD": left, "SHLVL": str(int(self._level)), "_": file}

    def _working_folder(self, given: str, folder: str) -> str:
        """Return PWD as bash passes it on: unchanged if it leads to `folder`, otherwise without links."""
        here = self._here  # contains no links
        if given == folder or (
            given[:1] == "/" and given != here and is_same_folder(depend_on(given), depend_on(folder))
        ):
            return given
        return folder if f"{here}/".startswith(f"{folder}/") else os.path.realpath(depend_on(folder))

    def _is_bash(self, shell: str) -> bool:
        if shell not in self._shells:
            self._shells[shell] = os.path.basename(os.path.realpath(shell)) == SHELL
        return self._shells[shell]

    def _file(self, words: list[str], folder: str, path: str) -> str | None:
        """Return the file that bash would execute; None if only bash can determine it."""
        name = words[0]
        if "/" in name:
            return name if self._may_execute(os.path.join(folder, name)) else None
        for entry in path.split(os.pathsep):
            if entry[:1] != "/":
                return None
            candidate = f"{entry}/{name}"
            if self._may_execute(candidate):
                return candidate if name not in SILENT or entry in SYSTEM_FOLDERS else None
        return None

    def _may_execute(self, path: str) -> bool:
        if path not in self._executable:
            self._executable[path] = is_executable(path)
        return self._executable[path]


def plain_command(text: str) -> list[str]:
    """Return the words of `text` if bash would only execute the first word; [] otherwise."""
    words = simple_words(text)
    if not words or not words[0] or words[0] in _SHELLS_OWN or words[0][0] == "%" or "=" in words[0]:
        return []
    return [] if words[0] in SILENT and len(words) > 1 else words
