"""Completes the line being typed: commands, files, folders, variables. Completions continue the user's quoting."""

from __future__ import annotations

import os

from . import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .state import State

_ENDS_WORD = " \t\n;|&()<>=`"
_SPECIAL = " \t\"'`$\\;&|<>()*?["
_MOST = 500
_OF_FOLDERS = ("cd", "pushd", "rmdir")


def completions(before: str, state: State) -> Iterator[tuple[str, int]]:
    """Yield the completions of `before`: (text, where it begins, as an offset from the end)."""
    start, quote = _last_word(before)
    written = before[start:]
    word = _unquote(written)
    head = before[:start].rstrip()
    is_command = not head or head[-1] in ";|&(" or head.endswith(("then", "do", "else", "!"))
    if written.startswith("$"):
        found = {f"${name}" for name in state.variables.names() if name.startswith(word[1:])}
    elif is_command and "/" not in word:
        found = {_quote_name(name, quote) for name in _commands(word, state) if name.startswith(word)}
    else:
        only_folders = head.rpartition("\n")[2].split(" ")[-1] in _OF_FOLDERS
        files = _files(word, state, only_folders=only_folders)
        found = {_quote_name(name, quote) for name in files if name.startswith(word)}
    for text in sorted(found)[:_MOST]:
        yield text, -len(written)


def certain_rest(before: str, found: Sequence[tuple[str, int]]) -> str:
    """Return the text that all of `found` add to `before`; empty if one of them would change `before`."""
    if not found:
        return ""
    texts = [text for text, _ in found]
    least, most = min(texts), max(texts)
    same = next((at for at, each in enumerate(least) if each != most[at]), len(least))
    begun = before[len(before) + found[0][1] :]
    return least[len(begun) : same] if least[:same].startswith(begun) else ""


def _last_word(before: str) -> tuple[int, str]:
    """Return where the last word begins, and the quote that is open at its end, or ""."""
    start = at = 0
    quote = ""
    while at < len(before):
        character = before[at]
        if character == "\\" and quote != "'":
            at += 1
        elif quote:
            if character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character in _ENDS_WORD:
            start = at + 1
        at += 1
    return start, quote


def _unquote(written: str) -> str:
    text = ""
    quote = ""
    at = 0
    while at < len(written):
        character = written[at]
        if character == "\\" and quote != "'":
            at += 1
            text += written[at : at + 1]
        elif quote and character == quote:
            quote = ""
        elif not quote and character in "\"'":
            quote = character
        else:
            text += character
        at += 1
    return text


def _quote_name(name: str, quote: str) -> str:
    """Quote `name`: within `quote`, closed after all names but folders, or with backslashes."""
    if not quote:
        tilde = "~" if name.startswith("~") else ""
        return tilde + "".join("\\" + each if each in _SPECIAL else each for each in name[len(tilde) :])
    special = '"$`\\' if quote == '"' else ""
    inner = "".join("\\" + each if each in special else each for each in name)
    return f"{quote}{inner}" if name.endswith("/") else f"{quote}{inner}{quote}"


def _commands(word: str, state: State) -> list[str]:
    names = [*builtins.names(), *state.functions]
    for folder in (state.variables.get("PATH") or "").split(":"):
        try:
            with os.scandir(state.path(folder)) as entries:
                names += [e.name for e in entries if e.name.startswith(word) and os.access(e.path, os.X_OK)]
        except OSError:
            continue
    return names


def _files(word: str, state: State, *, only_folders: bool) -> Iterator[str]:
    folder, slash, name = word.rpartition("/")
    shown = folder + slash
    if folder.startswith("~"):
        folder = (state.variables.get("HOME") or "~") + folder[1:]
    try:
        with os.scandir(state.path(folder + slash) if slash else state.folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") and not name.startswith("."):
                    continue
                is_folder = entry.is_dir()
                if is_folder or not only_folders:
                    yield shown + entry.name + ("/" if is_folder else "")
    except OSError:
        return
