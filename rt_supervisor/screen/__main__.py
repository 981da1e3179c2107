"""The process of the screen: connects to the run and shows it until one of them ends.

The run starts it with one argument, a JSON object (`display`). It exits with 0 if it has restored the terminal; otherwise the run does so.
"""

from __future__ import annotations

import json
import os
import signal
import sys


def main() -> int:
    """Show the run that the arguments describe."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # the run blocks those that it handles
    arguments = json.loads(sys.argv[1])
    reason = arguments["reason"]
    os.set_inheritable(reason, False)
    from .. import __version__
    from ..control.client import ControlClient
    from .keys import KeyMap

    try:
        client = ControlClient(arguments["folder"], version=__version__)
        from .app import ScreenApp

        app = ScreenApp(
            client, KeyMap(arguments["keys"]), supervisor=arguments["supervisor"], history=arguments["history"]
        )
        app.run()
    except Exception as error:
        os.write(reason, f"failed: {error!r}".encode()[:4096])
        return 1
    if app.failure:
        os.write(reason, f"failed: {app.failure}".encode()[:4096])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
