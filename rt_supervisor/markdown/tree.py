"""Parses a Markdown document into a tree of plain lists: [kind, meta, children], or [kind, meta, text] for leaves.

Kinds are the names that `RT.markdown` exposes (`heading`, `listItem`, `codespan` and others), and in addition `softbreak`,
`hardbreak`, `inlineHtml` and `wikilink`. Paragraphs of tight lists are omitted: their content belongs to the item.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from markdown_it.token import Token

    Node = list[Any]

_LEAVES = {"text", "code", "html", "hr", "codespan", "inlineHtml", "softbreak", "hardbreak"}
_KINDS = {
    "heading": "heading",
    "paragraph": "paragraph",
    "blockquote": "blockquote",
    "bullet_list": "list",
    "ordered_list": "list",
    "list_item": "listItem",
    "hr": "hr",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "strong": "strong",
    "em": "emphasis",
    "s": "strikethrough",
    "link": "link",
    "wikilink": "wikilink",
}
_LEAF_KINDS = {
    "fence": "code",
    "code_block": "code",
    "html_block": "html",
    "hr": "hr",
    "code_inline": "codespan",
    "html_inline": "inlineHtml",
    "softbreak": "softbreak",
    "hardbreak": "hardbreak",
    "text": "text",
    "text_special": "text",
}
_TASK = re.compile(r"\[([ xX])\](?:[ \t\n]|$)")
_NAME = r"[A-Za-z0-9]+(?>(?:[._-]+[A-Za-z0-9]+)*)"
_REST = r"(?>(?:/[A-Za-z0-9/._-]*)?(?<![._-]))(?>(?:\?[A-Za-z0-9&+._=()-]*)?(?<![._-]))(?>(?:\#[A-Za-z0-9+._=()-]*)?(?<![._-]))"
_AUTOLINK = re.compile(
    rf"(?<![^\s*_~(\[{{])(?:(?P<url>(?:https?|ftp)://(?=[\w-]+\.[A-Za-z0-9]){_NAME}{_REST})"
    rf"|(?P<www>www\.{_NAME}{_REST})"
    rf"|(?P<email>[A-Za-z0-9]+(?>(?:[._+-]+[A-Za-z0-9]+)*)@(?=[\w-]+\.[A-Za-z0-9]){_NAME}))(?=[\s)\]}}.!?,;:*_~]|$)"
)
_PREFIXES = {"url": "", "www": "http://", "email": "mailto:"}


def parse(text: str, options: Mapping[str, Any]) -> list[Node]:
    """Return the block nodes of a document; `options` has the keys of `RT.markdown`'s options."""
    from .grammar import parser

    tokens = parser(options).parse(text.removeprefix("\ufeff"))
    builder = _Builder(options)
    return builder.nodes(iter(tokens))


def plain_text(nodes: list[Node]) -> str:
    """Return the text of inline nodes without their markup."""
    return "".join(
        (" " if node[0] == "softbreak" else "\n" if node[0] == "hardbreak" else node[2])
        if node[0] in _LEAVES
        else plain_text(node[2])
        for node in nodes
    )


def _texts(nodes: list[Node]) -> Iterator[str]:
    for node in nodes:
        if node[0] in _LEAVES:
            yield plain_text([node])
        else:
            yield from _texts(node[2])


class _Builder:
    """Nests the flat tokens of one document."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        headings = options.get("headings", False)
        self._has_ids = headings is True or (isinstance(headings, dict) and bool(headings.get("ids")))
        self._has_tasks = bool(options.get("tasklists", True))
        wanted = options.get("autolinks", False)
        kinds = wanted if isinstance(wanted, dict) else dict.fromkeys(_PREFIXES, bool(wanted))
        self._autolinks = {kind for kind in _PREFIXES if kinds.get(kind)}
        self._slugs: dict[str, int] = {}
        self._in_link = 0

    def nodes(self, tokens: Iterator[Token]) -> list[Node]:
        """Return the nodes up to the end of `tokens`, or up to the token that closes the open node."""
        found: list[Node] = []
        for token in tokens:
            if token.nesting < 0:
                break
            if token.type == "inline":
                found += self.nodes(iter(token.children or ()))
            elif token.nesting > 0:
                found += self._open_node(token, tokens)
            else:
                self._add_leaf(found, token)
        return found

    def _open_node(self, token: Token, tokens: Iterator[Token]) -> list[Node]:
        kind = _KINDS[token.type.removesuffix("_open")]
        is_link = kind in ("link", "wikilink")
        self._in_link += is_link
        children = self.nodes(tokens)
        self._in_link -= is_link
        if kind == "paragraph" and token.hidden:
            return children
        return [[kind, self._meta(kind, token, children), children]]

    def _meta(self, kind: str, token: Token, children: list[Node]) -> dict[str, Any]:
        if kind == "heading":
            meta: dict[str, Any] = {"level": int(token.tag[1])}
            return {**meta, "id": self._slug(plain_text(children))} if self._has_ids else meta
        if kind == "list":
            is_ordered = token.type.startswith("ordered")
            return {"ordered": True, "start": int(token.attrs.get("start", 1))} if is_ordered else {"ordered": False}
        if kind == "listItem" and self._has_tasks:
            return _task(children)
        if kind in ("th", "td"):
            align = str(token.attrs.get("style", "")).removeprefix("text-align:")
            return {"align": align} if align else {}
        if kind == "link":
            return _link(token)
        return {"target": token.attrs["target"]} if kind == "wikilink" else {}

    def _slug(self, text: str) -> str:
        kept = re.sub(r"[^a-z0-9 \t\n-]", "", text.lower())
        slug = re.sub(r"[ \t\n-]+", "-", kept).strip("-")
        count = self._slugs.get(slug, 0)
        self._slugs[slug] = count + 1
        return f"{slug}-{count}" if count else slug

    def _add_leaf(self, found: list[Node], token: Token) -> None:
        if token.type == "image":
            src, title = str(token.attrs["src"]), str(token.attrs.get("title", ""))
            alt = [["text", {}, text] for text in _texts(self.nodes(iter(token.children or ())))]
            found.append(["image", {"src": src, "title": title} if title else {"src": src}, alt])
            return
        kind = _LEAF_KINDS[token.type]
        if kind == "text":
            self._add_text(found, token)
            return
        meta = {"language": token.info.split()[0]} if kind == "code" and token.info.strip() else {}
        content = token.content
        if token.type == "fence" and content and not content.endswith("\n"):  # unclosed at the end of the document
            content += "\n"
        found.append([kind, meta, content])

    def _add_text(self, found: list[Node], token: Token) -> None:
        text = token.content
        if not self._autolinks or self._in_link or token.type != "text":
            if text:
                found.append(["text", {}, text])
            return
        done = 0
        for match in _AUTOLINK.finditer(text):
            kind = match.lastgroup or ""
            if kind not in self._autolinks:
                continue
            if match.start() > done:
                found.append(["text", {}, text[done : match.start()]])
            done = match.end()
            link = ["text", {}, match[0]]
            found.append(["link", {"href": match[0], "prefix": _PREFIXES[kind]}, [link]])
        if text[done:]:
            found.append(["text", {}, text[done:]])


def _link(token: Token) -> dict[str, Any]:
    href, title = str(token.attrs["href"]), str(token.attrs.get("title", ""))
    if token.markup == "autolink" and href.startswith("mailto:"):
        return {"href": href.removeprefix("mailto:"), "prefix": "mailto:"}
    return {"href": href, "title": title} if title else {"href": href}


def _task(children: list[Node]) -> dict[str, Any]:
    """Remove the checkbox from the content of a list item; return its state, or nothing if it has none."""
    place = children
    if place and place[0][0] == "paragraph":
        place = place[0][2]
    if not place or place[0][0] != "text":
        return {}
    match = _TASK.match(place[0][2])
    if match is None or (
        match.end() == len(place[0][2]) and match[0].endswith("]") and len(place) > 1 and place[1][0] != "softbreak"
    ):
        return {}
    place[0][2] = place[0][2][match.end() :]
    if not place[0][2]:
        del place[0]
    return {"checked": match[1] != " "}
