"""The domain LifecycleReporter, which is Bun's: the program's modules, reloads and fatal errors.

A program that has ended stays, and evaluates, until its debuggers disconnect, so a client need not prevent its end. The domain Console reports
fatal errors, which V8 describes to it.
"""

from __future__ import annotations

from .table import Command, Domain, accept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params


def report_reload(session: JscSession) -> None:
    """Report that `--hot` evaluates changed modules again."""
    if "LifecycleReporter" in session.enabled:
        session.emit("LifecycleReporter.reload")


def _enable(session: JscSession, _params: Params) -> None:
    session.enabled.add("LifecycleReporter")
    session.ask("Runtime.enable")


def _disable(session: JscSession, _params: Params) -> None:
    session.enabled.discard("LifecycleReporter")


def _get_module_graph(session: JscSession, _params: Params) -> Params:
    state = session.debugger
    files = {script: name for script, name in state.scripts.items() if name.startswith("/")}
    esm = [name for script, name in files.items() if script in state.modules]
    cjs = [name for script, name in files.items() if script not in state.modules]
    return {"esm": esm, "cjs": cjs, **session.host.module_graph()}


DOMAIN = Domain(
    {
        "enable": Command(_enable),
        "disable": Command(_disable),
        "preventExit": Command(accept),
        "stopPreventingExit": Command(accept),
        "getModuleGraph": Command(_get_module_graph),
    }
)
