"""Documents for JavaScript: [value, null], or [null, problem] with the position of the problem."""

from __future__ import annotations

import json

from looped_operations import opened

from rt_supervisor._native import null
from rt_supervisor.engine_worker.ops.documents import operations


def test_json5_and_jsonc_differ_in_what_they_accept() -> None:
    with opened(operations) as (_, documents):
        text = "{a: 'b', /* c */ d: [1, 2,],}"
        assert documents["readJson5"](text) == [{"a": "b", "d": [1, 2]}, null]
        value, problem = documents["readJsonc"](text)
        assert value is null
        assert problem[1:] == [1, 2]
        assert documents["readJsonc"]('{"a": 1, // comment\n}') == [{"a": 1}, null]


def test_problems_name_the_line_and_the_column() -> None:
    with opened(operations) as (_, documents):
        value, (message, line, column) = documents["readXml"]("<a>\n  <b></c>\n</a>")
        assert value is null
        assert message
        assert line == 2
        assert column > 1
        _, problem = documents["readYaml"]("a: 1\nb: [1, 2\n")
        assert problem is not null


def test_xml_and_markdown_are_json() -> None:
    with opened(operations) as (_, documents):
        value, problem = documents["readXml"]("<a b='1'>text</a>")
        assert problem is null
        assert "text" in value
        json.loads(value)
        blocks = json.loads(documents["markdownTree"]("# Title\n\ntext *strong*\n", "{}"))
        assert blocks
        assert documents["markdownHtml"]("# Title\n", "{}").strip().startswith("<h1")
