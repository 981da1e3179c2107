"""Parameter expansion (POSIX 2.5, 2.6.2): special parameters, and `${name operator operand}` with bash's operators."""

from __future__ import annotations

import os

from .problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .expansion import Expander
    from .state import State
    from .tree import Parameter, Word

SUBSTITUTES = frozenset([":-", "-", ":=", "=", ":?", "?", ":+", "+"])
_SPECIAL = frozenset("?$#@*!-")


def variable(name: str, state: State) -> str | None:
    """Return the value of parameter `name`, None if it is unset; `value_of` handles `@` and `*`."""
    if name.isdecimal():
        place = int(name)
        if place == 0:
            return state.name
        return state.arguments[place - 1] if place <= len(state.arguments) else None
    if name in _SPECIAL:
        return _special(name, state)
    if name.endswith("]"):
        from .arrays import element

        return element(name, state)
    value = state.variables.get(name)
    if value is None:
        value = _dynamic(name, state)
    return value


def _name_of(part: Parameter, expander: Expander) -> str:
    """Return the name of the parameter that `part` expands, with the key of an element. Raises ShellProblem."""
    if part.subscript is not None:
        from .arrays import element_name

        name = element_name(part, expander)
    else:
        name = part.name
    if part.indirect:
        name = variable(name, expander.state) or ""
    return name


def value_of(part: Parameter, expander: Expander) -> str | list[str]:
    """Return the value of the expansion; a list for `$@` and `$*`. Raises ShellProblem."""
    state = expander.state
    operator = part.operator
    if operator == "names":
        return [name for name in state.variables.names() if name.startswith(part.name)]
    name = _name_of(part, expander)
    if not name:
        raise ShellProblem(f"{part.name}: invalid indirect expansion")
    if name in ("@", "*"):
        return _all(part, name, expander)
    if name.endswith(("[@]", "[*]")):
        return _elements(name[:-3], part, expander)
    value = variable(name, state)
    if value is None and operator not in SUBSTITUTES and "nounset" in state.options:
        raise ShellProblem(f"{name}: unbound variable", fatal=True)
    if operator == "" or operator in SUBSTITUTES:
        return value or ""
    if operator == "length":
        return str(len(value or ""))
    if operator == ":":
        return _substring(value or "", part, expander)
    return _apply_operator(value or "", part, expander)


def _elements(name: str, part: Parameter, expander: Expander) -> str | list[str]:
    """Return the value of an expansion of all elements of array `name`."""
    from .arrays import elements_of, slice_elements

    elements = elements_of(name, expander.state)
    if part.operator == "length":
        return str(len(elements))
    if part.operator == "keys":
        return [str(key) for key in elements]
    if part.operator == ":":
        return slice_elements(elements, part, expander)
    if part.operator in ("", *SUBSTITUTES):
        return list(elements.values())
    return [_apply_operator(value, part, expander) for value in elements.values()]


def chosen_operand(part: Parameter, expander: Expander) -> Word | None:
    """Return the operand of `${name-operand}` or a similar expansion if it replaces the value; None if the value is
    used.

    Raises ShellProblem for `${name?message}`.
    """
    state = expander.state
    name = _name_of(part, expander)
    operator = part.operator.removeprefix(":")
    if name in ("@", "*"):
        value: str | None = "".join(state.arguments) if state.arguments else None
    else:
        value = variable(name, state)
    is_missing = value is None or (part.operator.startswith(":") and value == "")
    assert part.operand is not None
    if operator == "+":
        return None if is_missing else part.operand
    if not is_missing:
        return None
    if operator == "-":
        return part.operand
    if operator == "=":
        if not (name[:1].isalpha() or name[:1] == "_"):
            raise ShellProblem(f"${name}: cannot assign in this way")
        if name.endswith("]"):
            from .arrays import assign_element

            assign_element(name, expander.string(part.operand), state)
        else:
            state.variables.set(name, expander.string(part.operand))
        return None
    message = expander.string(part.operand) or (
        "parameter null or not set" if ":" in part.operator else "parameter not set"
    )
    raise ShellProblem(f"{name}: {message}", fatal=True)


def _all(part: Parameter, name: str, expander: Expander) -> str | list[str]:
    arguments = expander.state.arguments
    if part.operator == "length":
        return str(len(arguments))
    if part.operator == ":":
        assert part.operand is not None
        offset = expander.number(part.operand)
        values = [expander.state.name, *arguments]
        if offset < 0:
            offset += len(values)
            if offset < 0:
                return []
        elif offset == 0 and not values:
            return []
        length = expander.number(part.second) if part.second is not None else None
        if length is not None and length < 0:
            raise ShellProblem(f"{length}: substring expression < 0")
        return values[offset:] if length is None else values[offset : offset + length]
    if part.operator in ("", *SUBSTITUTES):
        return list(arguments)
    return [_apply_operator(value, part, expander) for value in arguments]


def _substring(value: str, part: Parameter, expander: Expander) -> str:
    assert part.operand is not None
    offset = expander.number(part.operand)
    if offset < 0:
        offset += len(value)
        if offset < 0:
            return ""
    if part.second is None:
        return value[offset:]
    length = expander.number(part.second)
    if length >= 0:
        return value[offset : offset + length]
    end = len(value) + length
    if end < offset:
        raise ShellProblem(f"{length}: substring expression < 0")
    return value[offset:end]


def _apply_operator(value: str, part: Parameter, expander: Expander) -> str:
    operator, operand = part.operator, part.operand
    if operator.startswith("@"):
        return _transform(value, operator)
    assert operand is not None
    if operator in ("#", "##"):
        length = expander.pattern(operand).prefix(value, longest=operator == "##")
        return value[length:] if length > 0 else value
    if operator in ("%", "%%"):
        length = expander.pattern(operand).suffix(value, longest=operator == "%%")
        return value[: len(value) - length] if length > 0 else value
    if operator.startswith("/"):
        return _replace(value, part, expander)
    return _change_case(value, part, expander)


def _replace(value: str, part: Parameter, expander: Expander) -> str:
    assert part.operand is not None
    pattern = expander.pattern(part.operand)
    replacement = expander.string(part.second) if part.second is not None else ""
    if part.operator == "/#":
        length = pattern.prefix(value, longest=True)
        return replacement + value[length:] if length >= 0 else value
    if part.operator == "/%":
        length = pattern.suffix(value, longest=True)
        return value[: len(value) - length] + replacement if length >= 0 else value
    return pattern.replaced(value, replacement, every=part.operator == "//")


def _change_case(value: str, part: Parameter, expander: Expander) -> str:
    assert part.operand is not None
    change = str.upper if part.operator.startswith("^") else str.lower
    pattern = expander.pattern(part.operand) if part.operand.parts else None
    every = len(part.operator) == 2
    return "".join(
        change(c) if (every or place == 0) and (pattern is None or pattern.matches(c)) else c
        for place, c in enumerate(value)
    )


def _transform(value: str, operator: str) -> str:
    if operator == "@U":
        return value.upper()
    if operator == "@L":
        return value.lower()
    if operator == "@u":
        return value[:1].upper() + value[1:]
    if operator == "@E":
        from .ansi_quoting import ansi_escape

        pieces, at = [], 0
        while at < len(value):
            if value[at] == "\\":
                piece, at = ansi_escape(value, at)
            else:
                piece, at = value[at], at + 1
            pieces.append(piece)
        return "".join(pieces)
    from .builtins.printing import quote_visibly

    return quote_visibly(value)


def _special(name: str, state: State) -> str | None:
    if name == "?":
        return str(state.status)
    if name == "$":
        return str(os.getpid())
    if name == "#":
        return str(len(state.arguments))
    if name == "-":
        from .state import OPTION_LETTERS

        return (
            "h" + "".join(sorted(letter for letter, option in OPTION_LETTERS.items() if option in state.options)) + "B"
        )
    if name == "!":
        return None  # the last background command, which does not exist
    return " ".join(state.arguments)


def _dynamic(name: str, state: State) -> str | None:
    """Return the value of one of bash's variables that are computed on each access."""
    if name == "LINENO":
        return str(state.line)
    if name == "RANDOM":
        return str(int.from_bytes(os.urandom(2), "big") & 0x7FFF)
    if name == "SECONDS":
        import time

        return str(int(time.monotonic() - _BEGAN))
    if name == "UID":
        return str(os.getuid())
    if name == "EUID":
        return str(os.geteuid())
    if name == "PPID":
        return str(os.getppid())
    if name == "FUNCNAME":
        return state.function_name or None
    if name == "_":
        return state.last_argument
    return None


def _began() -> float:
    import time

    return time.monotonic()


_BEGAN = _began()
