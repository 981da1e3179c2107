from __future__ import annotations

import pytest

from rt_supervisor.record import record, replace


@record
class Point:
    x: int
    y: int = 2

    def total(self) -> int:
        return self.x + self.y


def test_fields_defaults_and_methods() -> None:
    assert (Point(1).x, Point(1).y, Point(1, y=5).total()) == (1, 2, 6)
    assert repr(Point(1)) == "Point(x=1, y=2)"


def test_equality_and_hash_go_by_value_and_class() -> None:
    @record
    class Other:
        x: int
        y: int = 2

    assert Point(1) == Point(1, 2)
    assert Point(1) != Point(2)
    assert Point(1) != Other(1)
    assert len({Point(1), Point(1), Point(3)}) == 2


def test_it_is_frozen_and_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        Point(1).x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del Point(1).x
    with pytest.raises(AttributeError):
        Point(1).z = 3  # type: ignore[attr-defined]


def test_wrong_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, 2, 3)  # type: ignore[call-arg]


def test_it_can_be_matched_and_replaced() -> None:
    match Point(4):
        case Point(x, y):
            assert (x, y) == (4, 2)
    assert replace(Point(4), y=9) == Point(4, 9)


def test_without_fields() -> None:
    @record
    class Nothing:
        pass

    assert Nothing() == Nothing()
