"""The domain Inspector: a client is ready, and a program that waits for it runs."""

from __future__ import annotations

from .table import Command, Domain, accept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params


def _initialized(session: JscSession, _params: Params) -> None:
    session.ask("Runtime.runIfWaitingForDebugger")


DOMAIN = Domain(
    {
        "enable": Command(accept),
        "disable": Command(accept),
        "initialized": Command(_initialized),
    }
)
