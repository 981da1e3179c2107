"""env and xargs: commands that run commands."""

from __future__ import annotations

import os

from ..problems import Exit, ShellProblem
from ..state import decoded
from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_LONGEST_LINE = 120_000  # bytes of one command of xargs


def env(call: Call) -> int:
    """`env [-i] [-u name] [-C folder] [name=value …] [command …]`"""
    arguments = list(call.arguments)
    shell = call.shell.subshell()
    variables = shell.state.variables
    end = "\n"
    while arguments and arguments[0].startswith("-"):
        word = arguments.pop(0)
        if word == "--":
            break
        if word in ("-i", "-", "--ignore-environment"):
            for name in list(variables.exported()):
                variables.unset(name)
        elif word in ("-u", "--unset") and arguments:
            variables.unset(arguments.pop(0))
        elif word.startswith("--unset="):
            variables.unset(word.partition("=")[2])
        elif word in ("-0", "--null"):
            end = "\0"
        elif word in ("-C", "--chdir") and arguments:
            folder = arguments.pop(0)
            if not os.path.isdir(call.path(folder)):
                return call.fail(f"cannot change directory to '{folder}': {os.strerror(2)}", 125)
            shell.state.folder = os.path.normpath(call.path(folder))
        else:
            raise NotCovered(f"illegal option -- {word.lstrip('-')}", status=125)
    extra: dict[str, str] = {}
    while arguments and "=" in arguments[0] and not arguments[0].startswith("="):
        name, _, value = arguments.pop(0).partition("=")
        extra[name] = value
    for name, value in extra.items():
        variables.set(name, value)
        variables.export(name)
    if not arguments:
        for name, value in variables.exported().items():
            call.out.text(f"{name}={value}{end}")
        return 0
    return _run(call, shell, arguments)


def _run(call: Call, shell, words: list[str]) -> int:  # type: ignore[no-untyped-def]
    call.out.flush()
    try:
        return int(shell.run_builtin_named(words, call.io))
    except ShellProblem as problem:
        call.complain(f"{words[0]}: {os.strerror(2)}" if "not found" in problem.message else problem.message)
        return 127 if "not found" in problem.message else problem.status
    except Exit as jump:
        return jump.status


def xargs(call: Call) -> int:
    """`xargs [-0] [-n N] [-I word] [-L N] [-r] [-t] [-d c] [-P N] command …`; commands run one after the other."""
    arguments = list(call.arguments)
    null = empty_runs_not = traces = False
    most = per_line = 0
    replaced = delimiter = ""
    while arguments and arguments[0].startswith("-") and len(arguments[0]) > 1:
        word = arguments.pop(0)
        if word == "--":
            break
        if word in ("-0", "--null"):
            null = True
        elif word in ("-r", "--no-run-if-empty"):
            empty_runs_not = True
        elif word in ("-t", "--verbose"):
            traces = True
        elif word[:2] in ("-n", "-L", "-I", "-d", "-P"):
            value = word[2:] or (arguments.pop(0) if arguments else "")
            if word[1] == "I":
                replaced = value
            elif word[1] == "d":
                delimiter = value.encode().decode("unicode_escape") if value else ""
            elif not value.isdecimal() or (word[1] != "P" and int(value) == 0):
                return call.fail(f"invalid number '{value}' for -{word[1]} option")
            elif word[1] == "n":
                most = int(value)
            elif word[1] == "L":
                per_line = int(value)
        else:
            raise NotCovered(f"illegal option -- {word[1:]}")
    command = arguments or ["echo"]
    data = b"".join(call.blocks("-"))
    try:
        items = _items(decoded(data), null=null, delimiter=delimiter, by_line=bool(replaced) or bool(per_line))
    except ValueError as error:
        return call.fail(str(error))
    if replaced:
        lines = [[word.replace(replaced, item) for word in command] for item in items]
    elif per_line:
        chunks = [items[start : start + per_line] for start in range(0, len(items), per_line)]
        lines = [[*command, *(word for line in chunk for word in line.split())] for chunk in chunks]
    else:
        lines = [[*command, *chunk] for chunk in _chunks(items, most)]
    if not items and not replaced and not empty_runs_not:
        lines = [command]
    status = 0
    io = call.io.copy()
    null_input = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    io[0] = null_input
    inner = type(call)(call.name, [], call.shell, io)
    try:
        for line in lines:
            if traces:
                call.shell.trace(line, call.io)
            found = _run(inner, call.shell.subshell(), line)
            if found == 255:
                return call.fail(f"{line[0]}: exited with status 255; aborting", 124)
            if found in (126, 127):
                return found
            if found > 128:
                return 125
            status = 123 if found else status
    finally:
        os.close(null_input)
    return status


def _chunks(items: list[str], most: int) -> list[list[str]]:
    chunks: list[list[str]] = []
    size = 0
    for item in items:
        length = len(item.encode("utf-8", "surrogateescape")) + 1
        if not chunks or (most and len(chunks[-1]) >= most) or size + length > _LONGEST_LINE:
            chunks.append([])
            size = 0
        chunks[-1].append(item)
        size += length
    return chunks


def _items(text: str, *, null: bool, delimiter: str, by_line: bool) -> list[str]:
    """The words of stdin: cut at blanks with quotes and backslashes, or only at one character. Raises ValueError."""
    if null or delimiter:
        pieces = text.split("\0" if null else delimiter)
        if pieces and pieces[-1] == "":
            pieces.pop()
        return [piece.removesuffix("\n") if delimiter and piece is pieces[-1] else piece for piece in pieces]
    if by_line:
        return [line.strip(" \t") for line in text.split("\n") if line.strip(" \t")]
    items: list[str] = []
    current: list[str] | None = None
    at = 0
    while at < len(text):
        character = text[at]
        if character in " \t\n":
            if current is not None:
                items.append("".join(current))
            current = None
            at += 1
            continue
        current = [] if current is None else current
        if character in "'\"":
            end = text.find(character, at + 1)
            newline = text.find("\n", at)
            if end < 0 or 0 <= newline < end:
                kind = "single" if character == "'" else "double"
                raise ValueError(
                    f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"
                )
            current.append(text[at + 1 : end])
            at = end + 1
        elif character == "\\" and at + 1 < len(text):
            current.append(text[at + 1])
            at += 2
        else:
            end = at + 1
            while end < len(text) and text[end] not in " \t\n'\"\\":
                end += 1
            current.append(text[at:end])
            at = end
    if current is not None:
        items.append("".join(current))
    return items
