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
    """How many characters at `at` call another package manager, and what stands for them; (0, "") for none."""
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


def quoted(argument: str) -> str:
    """Return `argument` as it is appended to a command: in double quotes where a shell could read it otherwise."""
    if argument and _NEEDS_QUOTES.isdisjoint(argument):
        return argument
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
    return f'"{escaped}"'


def with_arguments(command: str, arguments: Iterable[str]) -> str:
    """Return `command` with `arguments` appended."""
    return " ".join((command, *map(quoted, arguments)))
