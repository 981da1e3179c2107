"""`rt shell`: runs a text (`-c`), a file, standard input, or an interactive shell; `--explain` prints the parsed text."""

from __future__ import annotations

import os

from ...settings.environment import is_passable, own_executable
from ...vocabulary.errors import Failed
from ..streams import read_text, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...shell.tree import Sequence as Tree
    from ..request import Request

_OPTIONS = {"-e": "errexit", "-u": "nounset", "-x": "xtrace", "-f": "noglob", "-C": "noclobber"}
_TEMPLATE = "--template"  # for RT.$, which reads the message of a syntax error after this mark and reports it itself
_SYNTAX_MARK = "\0syntax\0"


def run_shell(request: Request) -> int:
    """Run `rt shell` with its words and return the exit status. Raises Failed."""
    words = list(request.invocation.arguments)
    if words[:1] == [_TEMPLATE]:
        return _run_template(request, words[1:])
    options: list[str] = []
    while words and words[0] in _OPTIONS:
        options.append(_OPTIONS[words.pop(0)])
    if words[:1] in (["-o"], ["--"]):
        first = words.pop(0)
        if first == "-o" and words:
            options.append(words.pop(0))
    if words[:1] == ["--explain"]:
        from ...shell.explain import explain

        text = _text_of(words)
        write(1, explain(_parse(text, "-c")))
        return 0
    if words[:1] == ["-c"]:
        text = _text_of(words)
        tree = _parse(text, "-c")
        return _run(request, text, tree, words[2:3], words[3:], options, is_command_string=True)
    if not words or words[0] == "-":
        if not words and os.isatty(0) and os.isatty(1):
            from ...shell.interactive import converse

            return converse(dict(request.environment))
        text = _read_all(0)
        return _run(request, text, _parse(text, "stdin"), [], words[1:], options)
    if words[0].startswith("-") and not os.path.exists(words[0]):
        raise Failed("unknown-flag", f"Invalid Argument '{words[0]}' of rt shell\nnote: see `rt help shell`")
    text = _file(words[0])
    return _run(request, text, _parse(text, words[0]), words[:1], words[1:], options)


def _run_template(request: Request, words: Sequence[str]) -> int:
    """Run `-c TEXT`, or the text of a file, for RT.$."""
    from ...shell.parser import parse
    from ...shell.tree import SyntaxProblem

    is_command_string = words[0] == "-c"
    text = words[1] if is_command_string else _file(words[0])
    try:
        tree = parse(text)
    except SyntaxProblem as problem:
        write(2, _SYNTAX_MARK + problem.message)
        return 2
    rest = words[2:] if is_command_string else words
    return _run(request, text, tree, rest[:1], rest[1:], [], is_command_string=is_command_string)


def _text_of(words: Sequence[str]) -> str:
    if len(words) < 2:
        raise Failed("flag-needs-value", f"The argument '{words[0]}' requires a value but none was supplied.")
    return words[1]


def _parse(text: str, source: str) -> Tree:
    from ...shell.parser import parse
    from ...shell.places import pointed_at
    from ...shell.tree import SyntaxProblem

    try:
        return parse(text)
    except SyntaxProblem as problem:
        where = pointed_at(text, problem.at)
        raise Failed("shell-syntax", f"{problem.message}\n    at {source}: {where}", 2) from problem


def _run(
    request: Request,
    text: str,
    tree: Tree,
    name: Sequence[str],
    arguments: Sequence[str],
    options: list[str],
    *,
    is_command_string: bool = False,
) -> int:
    from ...shell.running import run_shell
    from ...shell.state import OPTIONS, State, folder_to_begin_in
    from ...workers.signals import ignored_signals

    unknown = [option for option in options if option not in OPTIONS]
    if unknown:
        raise Failed("unknown-flag", f"{unknown[0]} is not an option of rt's shell (see docs/shell.md)")
    environment = {key: value for key, value in request.environment.items() if is_passable(value)}
    state = State(
        environment=environment,
        folder=folder_to_begin_in(environment),
        name=name[0] if name else "rt",
        arguments=arguments,
    )
    state.own_program = own_executable()
    state.options.update(options)
    return run_shell(tree, text, state, ignored=ignored_signals(), is_command_string=is_command_string)


def _file(name: str) -> str:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failed("shell-file", f'cannot read "{name}": {reason}', 127) from error
    try:
        return _read_all(descriptor)
    finally:
        os.close(descriptor)


def _read_all(descriptor: int) -> str:
    try:
        return os.fsdecode(read_text(descriptor))
    except OSError as error:
        raise Failed("shell-file", f"cannot read the commands: {error.strerror}", 126) from error
