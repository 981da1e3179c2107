"""`@record`: small frozen value classes without the start-up cost of `dataclasses`.

`import dataclasses` takes longer than starting the interpreter. Everything between argv and the
first child process therefore uses this: slots, a positional-or-keyword constructor, equality, a readable repr
and `match` patterns. Type checkers see an ordinary frozen dataclass.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True)
    def record(cls: type[T]) -> type[T]: ...

else:

    def record(cls):
        """Make `cls` a frozen value class with one field for each annotation; the class body holds the defaults."""
        names = tuple(cls.__annotations__)
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        body = {name: value for name, value in cls.__dict__.items() if name not in defaults}
        body.pop("__dict__", None)
        body.pop("__weakref__", None)
        body["__slots__"] = body["__match_args__"] = names
        for name, method in _METHODS.items():
            body.setdefault(name, method)
        if body.get("__hash__") is None:
            body["__hash__"] = _METHODS["__hash__"]
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__init__ = _initializer(made, names, defaults)
        return made


_MOST_INTERPRETED = 200  # instances of a class, after which compiling its constructor costs less than it saves


def _initializer(owner: Any, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """Return the constructor of `owner`: a closure, because compiling one for each class would take 0.1 ms a class at every start. It
    replaces itself by a compiled one if the class has many instances.
    """
    title = owner.__name__
    count = 0

    def __init__(self: Any, *values: object, **named: object) -> None:
        nonlocal count
        count += 1
        if count == _MOST_INTERPRETED:
            owner.__init__ = _compiled(owner, names, defaults)
        if len(values) > len(names):
            raise TypeError(f"{title}() takes {len(names)} arguments but {len(values)} were given")
        for name, value in zip(names, values):  # noqa: B905 - strict= costs more than the loop
            _set(self, name, value)
        if len(values) == len(names) and not named:
            return
        for name in names[len(values) :]:
            if name in named:
                _set(self, name, named.pop(name))
            elif name in defaults:
                _set(self, name, defaults[name])
            else:
                raise TypeError(f"{title}() is missing the argument {name!r}")
        if named:
            raise TypeError(f"{title}() got the unexpected argument {next(iter(named))!r}")

    return __init__


def _compiled(owner: Any, names: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """Return a constructor that takes a third of the time of the closure."""
    scope: dict[str, Any] = {f"_set_{name}": owner.__dict__[name].__set__ for name in names}
    scope |= {f"_default_{name}": value for name, value in defaults.items()}
    parameters = [f"{name}=_default_{name}" if name in defaults else name for name in names]
    body = "".join(f"\n _set_{name}(self, {name})" for name in names) or " pass"
    exec(f"def __init__(self, {', '.join(parameters)}):{body}", scope)
    made: Callable[..., None] = scope["__init__"]
    return made


_set = object.__setattr__


def _values(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, name) for name in self.__slots__)


def _repr(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({fields})"


def _equal(self: Any, other: object) -> bool:
    if self is other:
        return True
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash((type(self).__name__, _values(self)))


def _frozen(self: Any, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen")


def replace(instance: Any, /, **changes: object) -> Any:
    """Return a copy of the record `instance` with the fields in `changes` replaced."""
    for name in instance.__slots__:
        if name not in changes:
            changes[name] = getattr(instance, name)
    return type(instance)(**changes)


_METHODS = {
    "__repr__": _repr,
    "__eq__": _equal,
    "__hash__": _hash,
    "__setattr__": _frozen,
    "__delattr__": _frozen,
    "__getstate__": _values,
}
