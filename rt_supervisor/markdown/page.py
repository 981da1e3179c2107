"""Renders a Markdown tree (`tree`) as HTML, in the form that Bun produces."""

from __future__ import annotations

import re
from html import escape

from mdurl import encode

from .tree import parse, plain_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .tree import Node

_BOX = '<input type="checkbox" class="task-list-item-checkbox" disabled'
_FILTERED = re.compile(
    r"<(?=/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))", re.IGNORECASE
)


def to_html(text: str, options: Mapping[str, Any]) -> str:
    """Return the HTML of the document `text`; `options` are those of `RT.markdown.html`."""
    page = _Page(options)
    page.add(parse(text, options))
    return "".join(page.parts)


def _text(value: str) -> str:
    return escape(value, quote=False).replace('"', "&quot;")


class _Page:
    def __init__(self, options: Mapping[str, Any]) -> None:
        headings = options.get("headings", False)
        self._links_headings = headings is True or (
            isinstance(headings, dict) and bool(headings.get("ids") and headings.get("autolink"))
        )
        self._is_filtered = bool(options.get("tagFilter"))
        self.parts: list[str] = []

    def add(self, nodes: list[Node]) -> None:
        for kind, meta, content in nodes:
            getattr(self, f"_{kind}")(meta, content)

    def _write(self, *texts: str) -> None:
        self.parts += [text for text in texts if text]

    def _fresh(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def _around(self, before: str, content: list[Node], after: str) -> None:
        self._write(before)
        self.add(content)
        self._write(after)

    def _block(self, before: str, content: list[Node], after: str) -> None:
        self._fresh()
        self._around(before, content, after)

    # --- blocks

    def _heading(self, meta: dict[str, Any], content: list[Node]) -> None:
        level, slug = meta["level"], meta.get("id")
        head = f"<h{level}>" if slug is None else f'<h{level} id="{slug}">'
        is_linked = slug is not None and self._links_headings
        self._block(
            head + (f'<a href="#{slug}">' if is_linked else ""), content, f"{'</a>' if is_linked else ''}</h{level}>\n"
        )

    def _paragraph(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._block("<p>", content, "</p>\n")

    def _blockquote(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._block("<blockquote>\n", content, "</blockquote>\n")

    def _list(self, meta: dict[str, Any], content: list[Node]) -> None:
        tag = "ol" if meta["ordered"] else "ul"
        start = f' start="{meta["start"]}"' if meta.get("start", 1) != 1 else ""
        self._block(f"<{tag}{start}>\n", content, f"</{tag}>\n")

    def _listItem(self, meta: dict[str, Any], content: list[Node]) -> None:
        head = "<li>"
        if "checked" in meta:
            head = f'<li class="task-list-item">{_BOX}{" checked" if meta["checked"] else ""}>'
        self._block(head, content, "</li>\n")

    def _hr(self, _meta: dict[str, Any], _content: str) -> None:
        self._fresh()
        self._write("<hr />\n")

    def _code(self, meta: dict[str, Any], content: str) -> None:
        self._fresh()
        language = f' class="language-{_text(meta["language"])}"' if "language" in meta else ""
        self._write(f"<pre><code{language}>", _text(content), "</code></pre>\n")

    def _html(self, _meta: dict[str, Any], content: str) -> None:
        self._fresh()
        self._inlineHtml({}, content)
        self._fresh()

    def _table(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._block("<table>\n", content, "</table>\n")

    def _thead(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<thead>\n", content, "</thead>\n")

    def _tbody(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<tbody>\n", content, "</tbody>\n")

    def _tr(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<tr>", content, "</tr>\n")

    def _cell(self, tag: str, meta: dict[str, Any], content: list[Node]) -> None:
        self._around(f'<{tag} align="{meta["align"]}">' if "align" in meta else f"<{tag}>", content, f"</{tag}>")

    def _th(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._cell("th", meta, content)

    def _td(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._cell("td", meta, content)

    # --- inline

    def _text(self, _meta: dict[str, Any], content: str) -> None:
        self._write(_text(content))

    def _softbreak(self, _meta: dict[str, Any], _content: str) -> None:
        self._write("\n")

    def _hardbreak(self, _meta: dict[str, Any], _content: str) -> None:
        self._write("<br />\n")

    def _codespan(self, _meta: dict[str, Any], content: str) -> None:
        self._write(f"<code>{_text(content)}</code>")

    def _inlineHtml(self, _meta: dict[str, Any], content: str) -> None:
        self._write(_FILTERED.sub("&lt;", content) if self._is_filtered else content)

    def _strong(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<strong>", content, "</strong>")

    def _emphasis(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<em>", content, "</em>")

    def _strikethrough(self, _meta: dict[str, Any], content: list[Node]) -> None:
        self._around("<del>", content, "</del>")

    def _link(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._around(f'<a href="{_address(meta.get("prefix", "") + meta["href"])}"{_title(meta)}>', content, "</a>")

    def _image(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._write(f'<img src="{_address(meta["src"])}" alt="{_text(plain_text(content))}"{_title(meta)} />')

    def _wikilink(self, meta: dict[str, Any], content: list[Node]) -> None:
        self._around(f'<x-wikilink data-target="{_text(meta["target"])}">', content, "</x-wikilink>")


def _address(url: str) -> str:
    return escape(encode(url))


def _title(meta: dict[str, Any]) -> str:
    return f' title="{_text(meta["title"])}"' if "title" in meta else ""
