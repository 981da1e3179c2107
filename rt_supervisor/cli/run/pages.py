"""`rt README.md`: shows a Markdown file, with a short program around `RT.markdown.ansi`."""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..colours import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..request import Request

# COLUMNS takes precedence over the terminal's width, so that the reader of a pipe can choose the width.
_PROGRAM = """
const out = process.stdout;
const colors = $colors;
const columns = Number(process.env.COLUMNS) || out.columns || 80;
const text = new TextDecoder().decode(require('node:fs').readFileSync(process.argv[1]));
out.write(RT.markdown.ansi(text, { colors, columns, hyperlinks: colors && out.isTTY === true }));
"""


def page_request(request: Request, path: str) -> Request:
    """Return the request for the program that shows a page. Raises Failed for a file that cannot be read."""
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise Failed("not-runnable", f'Cannot read "{path}": {(error.strerror or "unknown error").lower()}') from error
    program = _PROGRAM.replace("$colors", "true" if wants_colour(1, request.environment) else "false")
    invocation = replace(request.invocation, options={"eval": program}, names=(), arguments=(path,))
    shown: Request = replace(request, invocation=invocation)
    return shown
