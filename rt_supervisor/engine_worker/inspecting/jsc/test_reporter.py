"""The domain TestReporter, which is Bun's: tests of `node:test` that are found, start and end.

Each test file of `rt --test` is a program, whose process reports its own tests.
"""

from __future__ import annotations

from .table import Command, Domain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params

_NS_PER_MS = 1_000_000
_FIELDS = ("id", "name", "url", "line", "type", "parentId")


def report(session: JscSession, event: str, facts: Params) -> None:
    """Report a test; `facts` are those of `found_tests`, at its end also `status` and `elapsedMs`."""
    if "TestReporter" not in session.enabled:
        return
    params: Params = {"id": facts["id"]}
    if event == "found":
        params = {name: facts[name] for name in _FIELDS if facts.get(name) is not None}
        scripts = [number for number, name in session.debugger.scripts.items() if name == facts.get("url")]
        if scripts:
            params["scriptId"] = scripts[-1]
    elif event == "end":
        params |= {"status": facts["status"], "elapsed": round(facts["elapsedMs"] * _NS_PER_MS)}
    session.emit(f"TestReporter.{event}", params)


def _enable(session: JscSession, _params: Params) -> None:
    session.enabled.add("TestReporter")
    for facts in session.host.found_tests():
        report(session, "found", facts)


def _disable(session: JscSession, _params: Params) -> None:
    session.enabled.discard("TestReporter")


DOMAIN = Domain({"enable": Command(_enable), "disable": Command(_disable)})
