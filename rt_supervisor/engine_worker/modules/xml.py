"""XML documents as values: one key with the root's name; attributes are `@name`, an element's own text is `#text`.

Expat parses it, with its limits on entity expansion. External entities are not fetched.
"""

from __future__ import annotations

from xml.parsers import expat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class XmlProblem(Exception):
    """The text is not a valid XML document: `message`; `line` and `column` from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


class _Element:
    __slots__ = ("attributes", "children", "name")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes = name, attributes
        self.children: list[str | tuple[str, Any]] = []  # runs of text, and elements with their values


def parse_xml(text: str) -> dict[str, Any]:
    """Return the value of a document as plain data. Raises XmlProblem."""
    parser = expat.ParserCreate("utf-8")
    open_elements = [_Element("", {})]

    def start(name: str, attributes: dict[str, str]) -> None:
        open_elements.append(_Element(name, attributes))

    def end(_name: str) -> None:
        element = open_elements.pop()
        open_elements[-1].children.append((element.name, _meaning(element)))

    def add_text(data: str) -> None:
        children = open_elements[-1].children
        last = children[-1] if children else None
        if isinstance(last, str):
            children[-1] = last + data
        else:
            children.append(data)

    def leave_external(names: str | None, *_where: object) -> int:
        add_text(f"&{names};")
        return 1

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.ExternalEntityRefHandler = add_text, leave_external
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise XmlProblem(expat.ErrorString(error.code) or "not well-formed", error.lineno, error.offset + 1) from error
    return dict(child for child in open_elements[0].children if isinstance(child, tuple))


def _meaning(element: _Element) -> Any:
    has_elements = any(isinstance(child, tuple) for child in element.children)
    if not has_elements and not element.attributes:
        return "".join(child for child in element.children if isinstance(child, str))
    found: dict[str, Any] = {f"@{name}": value for name, value in element.attributes.items()}
    repeated: set[str] = set()
    for child in element.children:
        if isinstance(child, str):
            if not has_elements or child.strip(" \t\r\n"):  # white space between elements is ignored
                found["#text"] = found.get("#text", "") + child
            continue
        name, value = child
        if name not in found:
            found[name] = value
        elif name in repeated:
            found[name].append(value)
        else:
            found[name] = [found[name], value]
            repeated.add(name)
    return found
