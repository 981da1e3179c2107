"""Records: construction, equality, and immutability."""

from __future__ import annotations

import pytest

from rt_supervisor.vocabulary.record import record, replace


@record
class Point:
    x: int
    y: int = 2


def test_construction() -> None:
    assert (Point(1).x, Point(1).y) == (1, 2)
    assert Point(1, 3) == Point(y=3, x=1)
    assert Point(1) != Point(2)
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert replace(Point(1), y=5) == Point(1, 5)
    assert len({Point(1), Point(1), Point(2)}) == 2


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((1, 2, 3), {}, "takes 2 arguments but 3 were given"),
        ((), {"y": 1}, "is missing the argument 'x'"),
        ((1,), {"z": 1}, "got the unexpected argument 'z'"),
        ((1,), {"x": 1}, "got the unexpected argument 'x'"),
    ],
)
def test_wrong_calls_are_type_errors(values: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Point(*values, **named)


def test_frozen() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x


def test_the_compiled_constructor_of_a_class_with_many_instances_makes_equal_records() -> None:
    @record
    class Pair:
        left: object
        right: object = ()

    first, interpreted = Pair("a"), Pair.__init__
    pairs = [Pair(number, right=number) for number in range(1000)]
    assert Pair.__init__ is not interpreted
    assert (pairs[0], pairs[-1]) == (Pair(0, 0), Pair(left=999, right=999))
    assert Pair("a") == first
    assert replace(pairs[5], right=1) == Pair(5, 1)
    for values, named in (((), {}), ((1, 2, 3), {}), ((1,), {"other": 1})):
        with pytest.raises(TypeError):
            Pair(*values, **named)
