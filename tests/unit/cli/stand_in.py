"""rt's command line with stand-ins for the code that executes commands: each prints its arguments. A program for
tests.

Reads package.json itself and imports nothing else, so that tests can measure what `rt_supervisor` imports: with
STAND_IN_MODULES set, it writes the names of all loaded modules to that file at the end.
"""

from __future__ import annotations

import os
import sys

from rt_supervisor.cli.main import main
from rt_supervisor.cli.request import Request
from rt_supervisor.cli.run import programs
from rt_supervisor.settings.target import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Manifest:
    def __init__(self, path: str, fields: dict[str, object]) -> None:
        self.path, self.folder = path, os.path.dirname(path)
        self.name = self.version = None
        self.config: dict[str, str] = {}
        scripts = fields.get("scripts")
        self.scripts = {k: v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


class StandIns:
    run_program = staticmethod(programs.run_program)

    def find_manifest(self, folder: str) -> Manifest | None:
        while not os.path.exists(path := os.path.join(folder, "package.json")):
            if folder == "/":
                return None
            folder = os.path.dirname(folder)
        from rt_supervisor.vocabulary.errors import Failed

        with open(path) as file:
            try:
                return Manifest(path, eval(file.read()))  # our own test data; json would be an import
            except SyntaxError:
                raise Failed("manifest-broken", f"{path}:1:1: broken") from None

    def package_names(self, folder: str) -> list[str]:
        return ["foo", "bar", "@scope/baz"]

    def selected_scripts(self, folder: str, patterns: list[str]) -> dict[str, int]:
        return {"build": 2}

    def run_single(self, request: Request, manifest: Manifest | None, target: Target) -> int:
        invocation = request.invocation
        print("single", target.kind, target.name, list(invocation.arguments), dict(invocation.options), request.folder)
        return 7

    def run_many(self, request: Request) -> int:
        print(
            "many", list(request.invocation.names), list(request.invocation.arguments), dict(request.invocation.options)
        )
        return 8

    def show_graph(self, request: Request) -> int:
        print("graph", request.invocation.text("format"))
        return 9


if __name__ == "__main__":
    stand_ins: Any = StandIns()  # the part of the interface that these tests reach
    status = main(sys.argv[1:], stand_ins, called_as=os.environ.get("STAND_IN_NAME", "rt"))
    if "STAND_IN_MODULES" in os.environ:
        with open(os.environ["STAND_IN_MODULES"], "w") as file:
            file.write("\n".join(sys.modules))
    sys.stdout.flush()
    sys.exit(status)
