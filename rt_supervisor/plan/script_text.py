"""The text of package scripts: calls of other package managers become calls of rt, arguments are quoted and appended.

Nothing here parses shell syntax: the text is looked at as the peer looks at it, word starts after a blank or a quote.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NEEDS_QUOTES = frozenset("0123456789,=~#?*[]{}()<>|&;'\"\\$` \t\n\r\v\f")
_WORD_STARTS = frozenset(" '\"")

# What a word start may be followed by, and what rt says instead.
_REPLACED = (
    ("npm run ", "rt run "),
    ("npx ", "rt x "),
    ("pnpm run ", "rt run "),
    ("pnpm dlx ", "rt x "),
    ("pnpx ", "rt x "),
)

# What ends the words of one call; quotes and expansions are for a shell.
_CALL_ENDS = frozenset(";&|()<>\n'\"`$\\")
# Flags of `npm run` and `pnpm run` and what rt calls them.
_FLAGS = {
    "--workspaces": "--workspaces",
    "-ws": "--workspaces",
    "--if-present": "--if-present",
    "--silent": "--silent",
    "-s": "--silent",
}
_PNPM_FLAGS = {"-r": "--workspaces", "--recursive": "--workspaces", "--parallel": "--parallel"}
_NPM_CHOOSING = ("-w", "--workspace")
# Flags by which npm selects packages and for which rt has none: such a call stays npm's.
_NPM_ALONE = ("--include-workspace-root", "-iwr")
_PNPM_CHOOSING = ("-F", "--filter")

# `yarn WORD` is `yarn run WORD` unless WORD is one of yarn's own commands (classic and berry).
_YARN_COMMANDS = (
    " access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry"
    " generateLockEntry global help import info init install licenses link list login logout node npm outdated owner"
    " pack patch patch-commit plugin policies prune publish rebuild remove run search set stage tag team unlink unplug"
    " up upgrade upgrade-interactive upgradeInteractive version versions why workspace workspaces "
)


def rewritten(command: str) -> str:
    """Return `command` with `npm run`, `yarn`, `pnpm run`, `npx` and their like turned into calls of rt."""
    if "npm " not in command and "yarn " not in command and "px " not in command:
        return command
    pieces: list[str] = []
    at = 0
    at_word_start = True
    while at < len(command):
        if at_word_start and command[at] in "ynp":
            consumed, text = _package_manager_call(command, at)
            if consumed:
                pieces.append(text)
                at += consumed
                at_word_start = False
                continue
        at_word_start = command[at] in _WORD_STARTS
        pieces.append(command[at])
        at += 1
    return "".join(pieces)


def _package_manager_call(command: str, at: int) -> tuple[int, str]:
    """Return how long the call of another package manager at `at` is, and what replaces it; (0, "") where none is there."""
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
    """As `_package_manager_call`, for a run whose flags say in which packages or how: they may stand anywhere before `--`.

    A call that has none of them, or that holds what only a shell understands, is left to others.
    """
    end = at
    while end < len(command) and command[end] not in _CALL_ENDS:
        end += 1
    while command[end - 1] == " ":
        end -= 1
    words = command[at:end].split(" ")
    is_pnpm = words[0] == "pnpm"
    flags: list[str] = []
    kept: list[str] = []
    index = 2
    while index < len(words) and words[index] != "--":
        word = words[index]
        name, equals, value = word.partition("=")
        index += 1
        if name in _NPM_ALONE and not is_pnpm:
            return end - at, command[at:end]
        if word in _FLAGS or (is_pnpm and word in _PNPM_FLAGS):
            flags.append(_FLAGS.get(word) or _PNPM_FLAGS[word])
        elif name in (_PNPM_CHOOSING if is_pnpm else _NPM_CHOOSING) and (equals or index < len(words)):
            if not equals:
                value = words[index]
                index += 1
            is_folder = "/" in value and not value.startswith(("@", ".", "/", "{"))
            flags.append(f"--filter={'./' if is_folder else ''}{value}")
        elif word:
            kept.append(word)
    if not flags:
        return 0, ""
    rest = "".join(f" {word}" for word in [*kept, *words[index:]])
    return end - at, f"rt run {' '.join(flags)}{rest}"


def quoted(argument: str) -> str:
    """Return `argument` as it is appended to a command: in double quotes where a shell could read it otherwise."""
    if argument and _NEEDS_QUOTES.isdisjoint(argument):
        return argument
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
    return f'"{escaped}"'


def with_arguments(command: str, arguments: Iterable[str]) -> str:
    """Return `command` with `arguments` appended."""
    return " ".join((command, *map(quoted, arguments)))
