"""Arrays (bash): indexed and associative, their assignment, and the names of their elements.

An element is named by "array[key]" throughout the expansion; this module resolves subscripts to keys and back. Imported by
the first command that uses an array.
"""

from __future__ import annotations

from .problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from .expansion import Expander
    from .state import State
    from .tree import Assignment, Parameter, Word

    Key: TypeAlias = "int | str"


class Array:
    """One array: `elements` by index, in no particular order, or by text in the order of insertion."""

    __slots__ = ("elements", "is_associative")

    def __init__(self, elements: dict[Key, str], *, is_associative: bool = False) -> None:
        self.elements = elements
        self.is_associative = is_associative

    def copy(self) -> Array:
        return Array(self.elements.copy(), is_associative=self.is_associative)

    @property
    def first(self) -> Key:
        """The key that the name of the array alone refers to."""
        return "0" if self.is_associative else 0

    def ordered(self) -> dict[Key, str]:
        return self.elements if self.is_associative else dict(sorted(self.elements.items()))


def elements_of(name: str, state: State) -> dict[Key, str]:
    """Return the elements of `name` by key, in order. A variable that is not an array has one element, with index 0."""
    if name == "BASH_REMATCH":
        return dict(enumerate(state.matched))
    if name == "PIPESTATUS":
        return dict(enumerate(str(status) for status in state.pipe_statuses or [state.status]))
    array = state.variables.array(name)
    if array is not None:
        return array.ordered()
    value = state.variables.get(name)
    return {} if value is None else {0: value}


def split_name(name: str) -> tuple[str, str]:
    """Split "array[key]" into the array and the key."""
    base, _, key = name[:-1].partition("[")
    return base, key


def element(name: str, state: State) -> str | None:
    """Return the value of "array[key]", None if it is not set."""
    base, key = split_name(name)
    elements = elements_of(base, state)
    if key in ("@", "*"):
        return " ".join(elements.values()) if elements else None
    return elements.get(key if _is_associative(base, state) else int(key))


def element_name(part: Parameter, expander: Expander) -> str:
    """Return "array[key]" for a parameter with a subscript. Raises ShellProblem."""
    assert part.subscript is not None
    return f"{part.name}[{_key(part.name, part.subscript, expander)}]"


def resolve(name: str, expander: Expander) -> str:
    """Return "array[key]" for the "array[subscript]" of an arithmetic expression. Raises ShellProblem."""
    base, subscript = split_name(name)
    if _is_associative(base, expander.state):
        return name
    return f"{base}[{_index(base, subscript, expander)}]"


def assign(assignment: Assignment, expander: Expander) -> None:
    """Perform `name[subscript]=value` or `name=(…)`. Raises ShellProblem."""
    variables = expander.state.variables
    name = assignment.name
    if assignment.subscript is not None:
        key = _key(name, assignment.subscript, expander)
        _set(name, key, expander.assignment_value(assignment.value), expander, appends=assignment.appends)
        return
    assert assignment.elements is not None
    is_associative = _is_associative(name, expander.state)
    fields: list[tuple[Key | None, str]] = []
    for each in assignment.elements:
        if each.subscript is not None:
            fields.append((_key(name, each.subscript, expander), expander.assignment_value(each.value)))
        else:
            fields += [(None, field) for field in expander.fields(each.value)]
    array = variables.array(name) if assignment.appends else None
    if array is None:
        before: dict[Key, str] = dict(elements_of(name, expander.state)) if assignment.appends else {}
        array = Array(before, is_associative=is_associative)
    else:
        array = array.copy()
    place = max((key for key in array.elements if isinstance(key, int)), default=-1) + 1
    pending: str | None = None
    for given, value in fields:
        if given is not None:
            key = given
        elif not is_associative:
            key = place
        elif pending is None:  # words alternate between keys and values
            pending = value
            continue
        else:
            key, pending = pending, None
        array.elements[key] = value
        if isinstance(key, int):
            place = key + 1
    if pending is not None:
        array.elements[pending] = ""
    variables.set_array(name, array)


def assign_element(name: str, value: str, state: State) -> None:
    """Assign to "array[key]", whose key is resolved. Raises ShellProblem."""
    base, key = split_name(name)
    variables = state.variables
    array = variables.array(base)
    array = array.copy() if array is not None else Array(dict(elements_of(base, state)))
    array.elements[key if array.is_associative else int(key)] = value
    variables.set_array(base, array)


def unset_element(argument: str, expander: Expander) -> bool:
    """Unset "array[subscript]", as `unset` receives it; return False if it has another form. Raises ShellProblem."""
    base, subscript = split_name(argument)
    if not argument.endswith("]") or not subscript:
        return False
    variables = expander.state.variables
    array = variables.array(base)
    if array is None:
        if subscript in ("0", "@", "*"):
            variables.unset(base)
        return True
    if subscript in ("@", "*"):
        variables.unset(base)
        return True
    array = array.copy()
    array.elements.pop(subscript if array.is_associative else _index(base, subscript, expander), None)
    variables.set_array(base, array)
    return True


def slice_elements(values: dict[Key, str], part: Parameter, expander: Expander) -> list[str]:
    """Return the elements that `${name[@]:offset:length}` selects; the offset is an index, the length a number of elements."""
    assert part.operand is not None
    offset = expander.number(part.operand)
    length = expander.number(part.second) if part.second is not None else None
    if length is not None and length < 0:
        raise ShellProblem(f"{length}: substring expression < 0")
    keys = list(values)
    if all(isinstance(key, int) for key in keys):
        if offset < 0:
            offset += max((key for key in keys if isinstance(key, int)), default=-1) + 1
            if offset < 0:
                return []
        chosen = [value for key, value in values.items() if isinstance(key, int) and key >= offset]
    else:
        chosen = list(values.values())[offset:]
    return chosen if length is None else chosen[:length]


def _is_associative(name: str, state: State) -> bool:
    array = state.variables.array(name)
    return array is not None and array.is_associative


def _key(name: str, subscript: Word, expander: Expander) -> Key:
    text = expander.string(subscript)
    return text if _is_associative(name, expander.state) else _index(name, text, expander)


def _index(name: str, subscript: str, expander: Expander) -> int:
    from . import arithmetic
    from .expansion import _Names

    index = arithmetic.evaluate(subscript, _Names(expander))
    if index < 0:
        index += max((key for key in elements_of(name, expander.state) if isinstance(key, int)), default=-1) + 1
        if index < 0:
            raise ShellProblem(f"{name}[{subscript}]: bad array subscript")
    return index


def _set(name: str, key: Key, value: str, expander: Expander, *, appends: bool) -> None:
    if appends:
        value = (elements_of(name, expander.state).get(key) or "") + value
    assign_element(f"{name}[{key}]", value, expander.state)
