"""Templates with named fields; `native/wire/src/template.rs` has the same cases."""

from __future__ import annotations

from rt_supervisor.vocabulary.messages import fill


def test_fields_are_replaced_and_nothing_else() -> None:
    fields = {"name": "{code}", "code": "3"}
    assert fill("{name} exited with code {code}\n", **fields) == "{code} exited with code 3\n"
    assert fill("{{name}} {other} {", **fields) == "{{code}} {other} {"
    assert fill("", **fields) == ""
