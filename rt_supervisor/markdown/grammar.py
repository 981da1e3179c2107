"""Extensions of CommonMark: strikethrough with one or two tildes, wiki links, ATX headings without a space.

`parser` enables them according to the options of `RT.markdown`; `tree` turns the resulting tokens into nodes.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline.state_inline import Delimiter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_TILDE = ord("~")
_ONE, _TWO = 0xE000, 0xE001  # delimiters of one and of two tildes, which do not match each other
_WIKI = re.compile(r"\[\[([^\[\]|\n]*)(\|[^\[\]\n]*)?\]\]")
_CLOSE_HEADING = re.compile(r"^[ \t]*(#{1,6})(?!#)(.*?)(?:[ \t]+#+)?[ \t]*$")


class _Parser(MarkdownIt):
    """A parser that neither validates nor normalizes URLs: the renderer decides what to link, and how."""

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


def parser(options: Mapping[str, Any]) -> MarkdownIt:
    """Return a parser configured by `options`."""
    parsing = _Parser("commonmark").disable("text_join")
    if options.get("tables", True):
        parsing.enable("table")
    if options.get("strikethrough", True):
        parsing.inline.ruler.before("emphasis", "tildes", _tildes)
        parsing.inline.ruler2.before("emphasis", "tildes", _strike)
    if options.get("wikiLinks"):
        parsing.inline.ruler.before("link", "wiki", _wiki_link)
    if options.get("permissiveAtxHeaders"):
        parsing.block.ruler.at("heading", _heading, {"alt": ["paragraph", "reference", "blockquote"]})
    for option, rule in (
        ("noIndentedCodeBlocks", "code"),
        ("noHtmlBlocks", "html_block"),
        ("noHtmlSpans", "html_inline"),
    ):
        if options.get(option):
            parsing.disable(rule)
    return parsing


def _tildes(state: StateInline, silent: bool) -> bool:
    if silent or state.src[state.pos] != "~":
        return False
    scanned = state.scanDelims(state.pos, True)
    token = state.push("text", "", 0)
    token.content = "~" * scanned.length
    if scanned.length <= 2:
        marker = _ONE if scanned.length == 1 else _TWO
        state.delimiters.append(Delimiter(marker, 0, len(state.tokens) - 1, -1, scanned.can_open, scanned.can_close))
    state.pos += scanned.length
    return True


def _strike(state: StateInline) -> None:
    for delimiters in (
        state.delimiters,
        *(meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta),
    ):
        for opening in delimiters:
            if opening.marker not in (_ONE, _TWO) or opening.end == -1:
                continue
            for place, nesting in ((opening.token, 1), (delimiters[opening.end].token, -1)):
                token = state.tokens[place]
                token.type, token.tag, token.nesting, token.content = (
                    f"s_{'open' if nesting > 0 else 'close'}",
                    "s",
                    nesting,
                    "",
                )


def _wiki_link(state: StateInline, silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("wikilink_open", "", 1).attrs["target"] = match[1]
        end = state.posMax
        state.pos = match.start(1) if match[2] is None else match.start(2) + 1
        state.posMax = match.end() - 2
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push("wikilink_close", "", -1)
    state.pos = match.end()
    return True


def _heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _CLOSE_HEADING.match(line)
    if match is None:
        return False
    if not silent:
        state.line = start + 1
        tag = f"h{len(match[1])}"
        state.push("heading_open", tag, 1).markup = match[1]
        inline = state.push("inline", "", 0)
        inline.content, inline.children, inline.map = match[2].strip(), [], [start, state.line]
        state.push("heading_close", tag, -1).markup = match[1]
    return True
