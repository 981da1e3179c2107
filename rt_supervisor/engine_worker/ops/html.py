"""Operations of `js/rt/html`: rewriting documents, each with a native `HtmlRewriting` identified by a number.

The result of a step is [0 needs input | 1 a piece | 2 ended, owner of the handler, its row, its bit, bytes, problem];
the last two may be null.
"""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    rewritings: dict[int, _native.HtmlRewriting] = {}
    last = 0

    def start(elements: list[list[Any]], documents: list[int]) -> int:
        """Begin with rows of [selector, bits of its handlers], and the bits of the document's handlers."""
        nonlocal last
        last += 1
        rewritings[last] = _native.HtmlRewriting([(selector, bits) for selector, bits in elements], documents)
        return last

    def insert(number: int, place: str, content: str, is_html: bool) -> None:
        rewritings[number].insert(place, content, is_html)

    return {
        "selectorProblem": lambda selector: _or_null(_native.html_selector_problem(selector)),
        "start": (start, "cc"),
        "feed": (lambda number, data: _step_result(rewritings[number].feed(data)), "vb"),
        "finish": lambda number: _step_result(rewritings[number].finish()),
        "resume": lambda number: _step_result(rewritings[number].resume()),
        "ask": lambda number, what, name: _or_null(rewritings[number].ask(what, name)),
        "insert": insert,
        "change": lambda number, what, name, value: _or_null(rewritings[number].change(what, name, value)),
        "onEndTag": lambda number, handler: _or_null(rewritings[number].on_end_tag(handler)),
        "close": lambda number: rewritings.pop(number, None) and None,
    }


def _or_null(value: Any) -> Any:
    return _native.null if value is None else value


def _step_result(step: tuple[int, int, int, int, bytes | None, str | None]) -> list[Any]:
    state, owner, index, kind, output, problem = step
    return [state, owner, index, kind, _or_null(output), _or_null(problem)]
