"""Commands about variables and options (POSIX 2.14): export, unset, readonly, local, set, let, getopts."""

from __future__ import annotations

from .. import arithmetic
from ..expansion import _Names
from ..quoting import is_name
from ..state import OPTION_LETTERS, OPTIONS, SHOPT_OPTIONS
from .printing import quote_for_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call


def export(call: Call) -> int:
    arguments = call.arguments
    removes = arguments[:1] == ["-n"]
    if removes or arguments[:1] in (["-p"], ["--"]):
        arguments = arguments[1:]
    if not arguments:
        for name, value in call.state.variables.exported().items():
            call.out.text(f"export {name}={_quote(value)}\n")
        return 0
    return _each(call, arguments, lambda name: call.state.variables.export(name, exported=not removes))


def readonly(call: Call) -> int:
    arguments = call.arguments[1:] if call.arguments[:1] == ["-p"] else call.arguments
    if not arguments:
        for name in call.state.variables.readonly():
            value = call.state.variables.get(name)
            call.out.text(f"readonly {name}" + (f"={_quote(value)}\n" if value is not None else "\n"))
        return 0
    return _each(call, arguments, call.state.variables.make_readonly)


def local(call: Call) -> int:
    arguments = list(call.arguments)
    marks = ""
    while arguments and arguments[0][:1] == "-" and len(arguments[0]) > 1:
        marks += arguments.pop(0)[1:]
    variables = call.state.variables
    if call.name == "local" and call.state.function_depth == 0:
        return call.fail("can only be used in a function")
    status = 0
    for argument in arguments:
        name, equals, value = argument.partition("=")
        appends = bool(equals) and name.endswith("+")
        name = name.removesuffix("+") if appends else name
        if not is_name(name):
            status = call.fail(f"`{argument}': not a valid identifier")
            continue
        if appends and "i" not in marks:
            value = (variables.get(name) or "") + value
        if "g" not in marks and call.state.function_depth:
            variables.make_local(name)
            if not equals:
                variables.restore(name, None, exported=False)
        if ("a" in marks or "A" in marks) and variables.array(name) is None:
            from ..arrays import Array, elements_of

            before = {} if "A" in marks else elements_of(name, call.state)
            variables.set_array(name, Array(before, is_associative="A" in marks))
        if equals:
            if "i" in marks:
                value = str(arithmetic.evaluate(value, _Names(call.shell.expander)))
            variables.set(name, value.upper() if "u" in marks else value.lower() if "l" in marks else value)
        if "x" in marks:
            variables.export(name)
        if "r" in marks:
            variables.make_readonly(name)
    return status


def _each(call: Call, arguments: list[str], mark) -> int:  # type: ignore[no-untyped-def]
    status = 0
    for argument in arguments:
        name, equals, value = argument.partition("=")
        appends = name.endswith("+") and equals
        name = name[:-1] if appends else name
        if not is_name(name):
            status = call.fail(f"`{argument}': not a valid identifier")
            continue
        if equals:
            call.state.variables.set(name, (call.state.variables.get(name) or "") + value if appends else value)
        mark(name)
    return status


def unset(call: Call) -> int:
    status = 0
    kind = ""
    for argument in call.arguments:
        if argument in ("-v", "-f", "-n"):
            kind = argument
        elif kind == "-f":
            call.state.functions.pop(argument, None)
        elif not is_name(argument):
            if not _unset_element(call, argument):
                status = call.fail(f"`{argument}': not a valid identifier")
        elif kind != "-v" and call.state.variables.get(argument) is None:
            call.state.functions.pop(argument, None)
        else:
            call.state.variables.unset(argument)
    return status


def _unset_element(call: Call, argument: str) -> bool:
    if not is_name(argument.partition("[")[0]):
        return False
    from ..arrays import unset_element

    return unset_element(argument, call.shell.expander)


def set_options(call: Call) -> int:
    """`set -euxo pipefail`, `set -- a b`, and `set` alone, which lists the variables."""
    state = call.state
    arguments = list(call.arguments)
    if not arguments:
        for name in state.variables.names():
            call.out.text(f"{name}={quote_for_shell(state.variables.get(name) or '')}\n")
        return 0
    while arguments:
        word = arguments[0]
        if word in ("--", "-"):
            if word == "--" or arguments[1:]:
                state.arguments = arguments[1:]
            return 0
        if word[:1] not in ("-", "+") or len(word) < 2:
            state.arguments = arguments
            return 0
        arguments.pop(0)
        for letter in word[1:]:
            if letter == "o":
                if not arguments:
                    for option in sorted(OPTIONS):
                        call.out.text(f"{option:<15}\t{'on' if option in state.options else 'off'}\n")
                    return 0
                option = arguments.pop(0)
            else:
                option = OPTION_LETTERS.get(letter, "verbose" if letter in "vhbkmntBHPT" else "")
            if option not in OPTIONS:
                return call.fail(f"{option or word}: invalid option{' name' if letter == 'o' else ''}", 2)
            (state.options.add if word[0] == "-" else state.options.discard)(option)
    state.variables.exports_all = "allexport" in state.options
    return 0


def shopt(call: Call) -> int:
    """bash's `shopt` for the options about patterns and aliases. `globstar` cannot be disabled."""
    options = call.options("supq")
    state = call.state
    status = 0
    for name in options.operands or SHOPT_OPTIONS:
        if name not in SHOPT_OPTIONS:
            status = call.fail(f"{name}: invalid shell option name")
        elif options.operands and options.has("s"):
            state.options.add(name)
        elif options.operands and options.has("u"):
            state.options.discard(name)
        else:
            is_on = name in state.options or name == "globstar"
            status = status or int(bool(options.operands) and not is_on)
            if options.has("p"):
                call.out.text(f"shopt -{'s' if is_on else 'u'} {name}\n")
            elif not options.has("q"):
                call.out.text(f"{name:<15}\t{'on' if is_on else 'off'}\n")
    return status


def let(call: Call) -> int:
    if not call.arguments:
        return call.fail("expression expected")
    value = 0
    for argument in call.arguments:
        value = arithmetic.evaluate(argument, _Names(call.shell.expander))
    return int(value == 0)


def getopts(call: Call) -> int:
    """POSIX `getopts`; the position within a word of several letters is stored in `_GETOPTS_AT`."""
    if len(call.arguments) < 2:
        return call.fail("usage: getopts optstring name [arg ...]", 2)
    letters, name, *given = call.arguments
    state = call.state
    words = given or state.arguments
    if not is_name(name):
        return call.fail(f"`{name}': not a valid identifier")
    index = state.variables.get("OPTIND") or "1"
    place = int(index) if index.isdecimal() else 1
    inside = state.variables.get("_GETOPTS_AT") or ""
    known, _, at_text = inside.partition(":")
    at = int(at_text) if known == str(place) and at_text.isdecimal() else 1
    silent = letters.startswith(":")

    def done(letter: str, value: str | None, status: int = 0) -> int:
        state.variables.set(name, letter)
        state.variables.set("OPTIND", str(place))
        state.variables.set("_GETOPTS_AT", f"{place}:{at}" if at > 1 else "")
        if value is None:
            state.variables.unset("OPTARG")
        else:
            state.variables.set("OPTARG", value)
        return status

    word = words[place - 1] if place <= len(words) else ""
    if len(word) < 2 or word[0] != "-":
        return done("?", None, 1)
    if word == "--":
        place += 1
        return done("?", None, 1)
    letter = word[at]
    at += 1
    found = letters.find(letter) if letter != ":" else -1
    takes_value = found >= 0 and letters[found + 1 : found + 2] == ":"
    rest = word[at:]
    if not rest or takes_value:
        place += 1
        at = 1
    if found < 0:
        if not silent:
            call.complain(f"illegal option -- {letter}")
        return done("?", letter if silent else None)
    if not takes_value:
        return done(letter, None)
    if rest:
        return done(letter, rest)
    if place <= len(words):
        place += 1
        return done(letter, words[place - 2])
    if not silent:
        call.complain(f"option requires an argument -- {letter}")
    return done(":" if silent else "?", letter if silent else None)


def _quote(value: str) -> str:
    for character in '\\"$`':
        value = value.replace(character, "\\" + character)
    return f'"{value}"'
