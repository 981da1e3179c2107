"""The one rule that decides how a run of several scripts is shown.

| Form | | Needs |
|---|---|---|
| `tui` | the screen | a terminal that is not one of CI, for input too |
| `blocks` | a block for each script, redrawn in place | a terminal for output |
| `stream` | lines with prefixes, as they come | nothing |
| `grouped`, `json`, `raw` | as `--output` says | nothing |

`--output` decides first, if it is not "stream"; then `--ui`, if the terminal allows what it says, otherwise the next simpler form. Without
`--ui`, a run that does not end by itself gets the screen, and every other one blocks if scripts are selected with `--filter`, as
in Bun, otherwise the stream.
"""

from __future__ import annotations

import os

from ...plan.model import MODE_FILTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from ...plan.model import RunPlan
    from ..request import Request

    Form = Literal["tui", "blocks", "stream", "grouped", "json", "raw"]

TUI: Literal["tui"] = "tui"
BLOCKS: Literal["blocks"] = "blocks"
STREAM: Literal["stream"] = "stream"


def form_of(request: Request, plan: RunPlan, *, has_service: bool = False) -> Form:
    """Return how the run of `plan` is shown; `has_service` says whether it contains a persistent task."""
    invocation, environment = request.invocation, request.environment
    output = invocation.text("output")
    match output:
        case "grouped" | "json" | "raw":
            return output
    wanted = invocation.text("ui") if "ui" in invocation.options else None
    is_dumb = environment.get("TERM") == "dumb"
    can_draw = os.isatty(1) and not is_dumb
    stays = has_service or invocation.is_set("watch")
    if (
        can_show_screen(environment)
        and bool(plan.tasks)
        and (wanted == TUI or (wanted is None and stays and "elide-lines" not in invocation.options))
    ):
        return TUI
    if can_draw and (wanted in (TUI, BLOCKS) or (wanted is None and plan.mode == MODE_FILTER)):
        return BLOCKS
    return STREAM


def can_show_screen(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal and the environment allow the screen."""
    is_refused = environment.get("CI") or environment.get("NO_TUI") or environment.get("TERM") == "dumb"
    return not is_refused and os.isatty(0) and os.isatty(1)
