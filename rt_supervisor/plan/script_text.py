"""The text of package scripts: calls of other package managers become calls of rt; arguments are quoted and appended.

A call is replaced only where a shell would execute it: at a command position, or in what a command such as `cross-env` or
`concurrently` executes. Quoted text and arguments of all other commands stay unchanged. This is not a shell parser: text
that it does not understand stays unchanged too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NEEDS_QUOTES = frozenset("0123456789,=~#?*[]{}()<>|&;'\"\\$` \t\n\r\v\f")
_WORD_STARTS = frozenset(" '\"")

# Calls that need no further look, and their replacements.
_REPLACED = (
    ("npm run ", "rt run "),
    ("npx ", "rt x "),
    ("pnpm run ", "rt run "),
    ("pnpm dlx ", "rt x "),
    ("pnpx ", "rt x "),
)

# Ends the words of one call; quotes and expansions are left to a shell.
_CALL_ENDS = frozenset(";&|()<>\n'\"`$\\")
# Flags of `npm run` and `pnpm run`, and the flags of rt that replace them.
_FLAGS = {
    "--workspaces": "--workspaces",
    "--ws": "--workspaces",
    "-ws": "--workspaces",
    "--if-present": "--if-present",
    "--silent": "--silent",
    "-s": "--silent",
}
_PNPM_FLAGS = {"-r": "--workspaces", "--recursive": "--workspaces", "--parallel": "--parallel"}
_NPM_FOLDER = ("-C", "--prefix")
_PNPM_FOLDER = ("-C", "--dir")
_NPM_CHOOSING = ("-w", "--workspace")
# Flags of npm that select packages and have no counterpart: such a call stays npm's.
_NPM_ALONE = ("--include-workspace-root", "-iwr")
_PNPM_CHOOSING = ("-F", "--filter")
# How npm runs a script of several packages: one after another, all of them, without prefixes.
_NPM_SEVERAL = ("--concurrency=1", "--output=raw")

# `yarn WORD` is `yarn run WORD` unless WORD is one of yarn's own commands (classic and berry).
_YARN_COMMANDS = (
    " access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry"
    " generateLockEntry global help import info init install licenses link list login logout node npm outdated owner"
    " pack patch patch-commit plugin policies prune publish rebuild remove run search set stage tag team unlink unplug"
    " up upgrade upgrade-interactive upgradeInteractive version versions why workspace workspaces "
)

# Words after which a command follows.
_BEFORE_COMMANDS = frozenset(("!", "{", "do", "elif", "else", "if", "then", "time", "until", "while"))
# Commands that execute their arguments, or a command string among them.
_RUNNERS = frozenset(
    [
        "bash",
        "chokidar",
        "command",
        "conc",
        "concurrently",
        "cross-env",
        "cross-env-shell",
        "dash",
        "doppler",
        "dotenv",
        "dotenvx",
        "env",
        "env-cmd",
        "eval",
        "exec",
        "husky",
        "ksh",
        "nice",
        "nodemon",
        "nohup",
        "onchange",
        "op",
        "run-if-changed",
        "sh",
        "start-server-and-test",
        "sudo",
        "timeout",
        "tsc-watch",
        "tsup",
        "wait-on",
        "wsrun",
        "xargs",
        "zsh",
    ]
)
_SEPARATORS = frozenset(";&|()\n`")


def rewrite(command: str) -> str:
    """Return `command` with `npm run`, `yarn`, `pnpm run`, `npx` and similar calls replaced by calls of rt."""
    if "npm " not in command and "yarn " not in command and "px " not in command:
        return command
    return _Rewriting(command).run()


class _Rewriting:
    """One pass over a command: copies it to `_pieces`, word by word, and replaces the calls at command positions."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._pieces: list[str] = []
        self._at = 0
        self._is_command_position = True
        self._is_in_runner = False

    def run(self) -> str:
        command = self._command
        while self._at < len(command):
            character = command[self._at]
            if character in " \t":
                self._copy(1)
            elif character in _SEPARATORS:
                self._copy(1)
                self._is_command_position, self._is_in_runner = True, False
            elif not self._replace_call():
                self._copy_word()
        return "".join(self._pieces)

    def _copy(self, count: int) -> None:
        self._pieces.append(self._command[self._at : self._at + count])
        self._at += count

    def _replace_call(self) -> bool:
        """Replace the call that starts here, if there is one and a shell or a runner would execute it."""
        is_word_start = self._at == 0 or self._command[self._at - 1] in _WORD_STARTS
        if not (is_word_start and (self._is_command_position or self._is_in_runner)):
            return False
        consumed, text = _package_manager_call(self._command, self._at)
        if not consumed:
            return False
        self._pieces.append(text)
        self._at += consumed
        self._is_command_position = self._command[self._at - 1] in _SEPARATORS  # `yarn t&& …` takes `t&&` for a word
        self._is_in_runner = False
        return True

    def _copy_word(self) -> None:
        """Copy one word, with its quoted parts; rewrite a quoted command string of a runner."""
        command, start = self._command, self._at
        if command[start] == "#":
            end = command.find("\n", start)
            self._copy((end if end >= 0 else len(command)) - start)
            return
        while self._at < len(command) and command[self._at] not in " \t" and command[self._at] not in _SEPARATORS:
            character = command[self._at]
            if character == "\\":
                self._copy(2)
            elif character in "'\"":
                self._copy_quoted(character)
            elif command.startswith("$(", self._at):
                self._copy_substitution()
            else:
                self._copy(1)
        if not self._is_command_position:
            return
        word = command[start : self._at]
        name, equals, _ = word.partition("=")
        if not (word in _BEFORE_COMMANDS or (equals and name.isidentifier())):
            self._is_command_position = False
            self._is_in_runner = word.rpartition("/")[2] in _RUNNERS

    def _copy_quoted(self, quote: str) -> None:
        command, start = self._command, self._at
        end = start + 1
        while end < len(command) and command[end] != quote:
            end += 2 if quote == '"' and command[end] == "\\" else 1
        end = min(end, len(command))
        inside = command[start + 1 : end]
        self._pieces.append(quote + (rewrite(inside) if self._is_in_runner else inside) + command[end : end + 1])
        self._at = end + 1

    def _copy_substitution(self) -> None:
        """Copy `$(…)` unchanged."""
        depth, end = 0, self._at
        while end < len(self._command):
            depth += {"(": 1, ")": -1}.get(self._command[end], 0)
            end += 1
            if depth == 0 and self._command[end - 1] == ")":
                break
        self._copy(end - self._at)


def _package_manager_call(command: str, at: int) -> tuple[int, str]:
    """Return the length of the package manager's call at `at`, and its replacement; (0, "") if there is no call."""
    if command.startswith(("npm run ", "pnpm run "), at):
        consumed, text = _run_call(command, at)
        if consumed:
            return consumed, text
    for call, text in _REPLACED:
        if command.startswith(call, at):
            return len(call), text
    if command.startswith("yarn ", at):
        end = command.find(" ", at + 5)
        word = command[at + 5 : end] if end >= 0 else ""
        if word == "run":
            return 8, "rt run"
        if word == "npm":
            return 9, "yarn npm "
        if word.startswith("-"):
            return 5 + len(word), f"yarn {word}"
        if word and f" {word} " not in _YARN_COMMANDS:
            return 5 + len(word), f"rt run {word}"
    return 0, ""


def _run_call(command: str, at: int) -> tuple[int, str]:
    """Like `_package_manager_call`, for a run with flags that select packages, a folder or a mode, anywhere before `--`.

    Returns (0, "") for a call without such flags, and for one that contains shell syntax.
    """
    end = at
    while end < len(command) and command[end] not in _CALL_ENDS:
        end += 1
    while command[end - 1] == " ":
        end -= 1
    words = command[at:end].split(" ")
    is_pnpm = words[0] == "pnpm"
    choosing, folder = (_PNPM_CHOOSING, _PNPM_FOLDER) if is_pnpm else (_NPM_CHOOSING, _NPM_FOLDER)
    flags: list[str] = []
    others: list[str] = []
    index = 2
    while index < len(words) and words[index] != "--":
        word = words[index]
        name, equals, value = word.partition("=")
        index += 1
        if name in _NPM_ALONE and not is_pnpm:
            return end - at, command[at:end]
        if word in _FLAGS or (is_pnpm and word in _PNPM_FLAGS):
            flags.append(_FLAGS.get(word) or _PNPM_FLAGS[word])
        elif name in (*choosing, *folder) and (equals or index < len(words)):
            if not equals:
                value = words[index]
                index += 1
            if name in folder:
                flags.append(f"--cwd={value}")
                continue
            is_folder = "/" in value and not value.startswith(("@", ".", "/", "{"))
            flags.append(f"--filter={'./' if is_folder else ''}{value}")
        elif word:
            others.append(word)
    if not flags:
        return 0, ""
    if not is_pnpm and any(flag.startswith(("--workspaces", "--filter")) for flag in flags):
        flags += _NPM_SEVERAL
    rest = "".join(f" {word}" for word in [*others, *words[index:]])
    return end - at, f"rt run {' '.join(flags)}{rest}"


def quote(argument: str) -> str:
    """Return `argument` as it is appended to a command: in double quotes if a shell could interpret it."""
    if argument and _NEEDS_QUOTES.isdisjoint(argument):
        return argument
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
    return f'"{escaped}"'


def append_arguments(command: str, arguments: Iterable[str]) -> str:
    """Return `command` with `arguments` appended."""
    return " ".join((command, *map(quote, arguments)))
