"""`rt attach` on a terminal: the full-screen display of a run that another process supervises."""

from __future__ import annotations

from ... import __version__
from ...control.client import ControlClient
from ...screen.app import ScreenApp
from ...screen.keys import KeyMap
from ..streams import say, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..request import Request


def attach_screen(request: Request, folder: str, *, has_input: bool) -> int | None:
    """Show the run in `folder` until it ends, and return its exit status; 0 when the user leaves, and the run continues, and
    None if the screen has failed.

    Without input, the keys that steer the run and type into it have no effect. Raises Failed.
    """
    keys = KeyMap(request.invocation.texts("ui-key"))
    history = request.invocation.number("ui-scrollback") or 0
    while True:
        client = ControlClient(folder, version=__version__)
        app = ScreenApp(client, keys, is_attached=True, has_input=has_input, history=history)
        why = app.run()
        client.close()
        if app.failure:
            warn(f"the screen failed: {app.failure}; printing lines instead")
            return None
        if why == "left":
            say(f"run {client.run.get('id')} continues")
            return 0
        if why == "ended":
            return app.status
