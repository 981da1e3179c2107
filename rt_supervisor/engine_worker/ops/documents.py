"""Operations of `js/rt/documents/documents.js`: YAML as steps that build it, JSON5 and JSONC as data, Markdown, XML."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def _answer(value: Any, problems: list[_native.SyntaxProblem]) -> list[Any]:
    if not problems:
        return [value, _native.null]
    place = problems[0].place
    return [_native.null, [problems[0].message, place.line, place.column]]


def operations(host: Host) -> dict[str, Any]:
    def read_yaml(text: str) -> list[Any]:
        steps, problem = _native.read_yaml(text)
        return [steps, _native.null if problem is None else list(problem)]

    def read_json5(text: str) -> list[Any]:
        return _answer(*_native.read_json(text, "JSON5", is_json5=True))

    def read_jsonc(text: str) -> list[Any]:
        return _answer(*_native.read_json(text, "JSONC", is_json5=False))

    def markdown_tree(text: str, options: str) -> str:
        """Return the blocks of a Markdown document as JSON; `options` are also JSON."""
        import json

        from ...markdown.tree import parse

        return json.dumps(parse(text, json.loads(options)))

    def markdown_html(text: str, options: str) -> str:
        import json

        from ...markdown.page import to_html

        return to_html(text, json.loads(options))

    def read_xml(text: str) -> list[Any]:
        """Return [JSON, null], or [null, problem]."""
        import json

        from ..modules.xml import XmlProblem, parse_xml

        try:
            return [json.dumps(parse_xml(text)), _native.null]
        except XmlProblem as problem:
            return [_native.null, [problem.message, problem.line, problem.column]]

    return {
        "readXml": read_xml,
        "readYaml": read_yaml,
        "readJson5": read_json5,
        "readJsonc": read_jsonc,
        "markdownTree": markdown_tree,
        "markdownHtml": markdown_html,
    }
