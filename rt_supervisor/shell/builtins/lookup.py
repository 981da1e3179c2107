"""which, type, command, builtin: how a command name is resolved."""

from __future__ import annotations

from .. import builtins, processes
from ..token_reader import KEYWORDS
from .printing import quote_for_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_IN_WORDS = {"keyword": "a shell keyword", "function": "a function", "builtin": "a shell builtin"}


def which(call: Call) -> int:
    """Print the paths of programs like the peer: `X not found` for one that does not exist."""
    options = call.options("as")
    status = 0
    if not options.operands:
        call.out.write(b"\n")
        return 1
    for name in options.operands:
        path = processes.find_program(name, call.state)
        if path is None:
            status = 1
        if not options.has("s"):
            call.out.text(f"{path}\n" if path is not None else f"{name} not found\n")
    return status


def type_of(call: Call) -> int:
    options = call.options("tpaf")
    status = 0
    for name in options.operands:
        kind, path = _kind(call, name)
        if not kind:
            status = 1
            if not options.has("t") and not options.has("p"):
                call.complain(f"{name}: not found")
        elif options.has("t"):
            call.out.text(f"{kind}\n")
        elif options.has("p"):
            call.out.text(f"{path}\n" if path else "")
        else:
            call.out.text(_describe(call, name, kind, path))
    return status


def _describe(call: Call, name: str, kind: str, path: str) -> str:
    if kind == "alias":
        return f"{name} is aliased to `{call.state.aliases[name]}'\n"
    return f"{name} is {path or _IN_WORDS[kind]}\n"


def command(call: Call) -> int:
    """`command name …` ignores functions; `-v` prints how a name is resolved."""
    arguments = call.arguments
    if arguments[:1] in (["-v"], ["-V"]):
        status = 1
        for name in arguments[1:]:
            kind, path = _kind(call, name)
            if kind:
                status = 0
                if arguments[0] == "-V":
                    call.out.text(_describe(call, name, kind, path))
                elif kind == "alias":
                    call.out.text(f"alias {name}={quote_for_shell(call.state.aliases[name], always=True)}\n")
                else:
                    call.out.text(f"{path or name}\n")
            elif arguments[0] == "-V":
                call.complain(f"{name}: not found")
        return status
    if arguments[:1] in (["-p"], ["--"]):
        arguments = arguments[1:]
    return call.shell.run_builtin_named(arguments, call.io) if arguments else 0


def builtin(call: Call) -> int:
    if not call.arguments:
        return 0
    if builtins.find(call.arguments[0]) is None:
        return call.fail(f"{call.arguments[0]}: not a shell builtin")
    return call.shell.run_builtin_named(call.arguments, call.io)


def hash_(call: Call) -> int:
    """Do nothing: paths of programs are not cached."""
    missing = [name for name in call.arguments if name[:1] != "-" and not _kind(call, name)[0]]
    for name in missing:
        call.complain(f"{name}: not found")
    return int(bool(missing))


def _kind(call: Call, name: str) -> tuple[str, str]:
    if name in call.state.aliases and "expand_aliases" in call.state.options:
        return "alias", ""
    if name in KEYWORDS:
        return "keyword", ""
    if name in call.state.functions:
        return "function", ""
    if builtins.find(name) is not None:
        return "builtin", ""
    path = processes.find_program(name, call.state)
    return ("file", path) if path else ("", "")
