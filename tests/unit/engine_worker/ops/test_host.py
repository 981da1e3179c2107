"""Areas of operations depend on a small host; only those that control the program depend on the whole program."""

from __future__ import annotations

from pathlib import Path

import rt_supervisor.engine_worker.ops as ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rt_supervisor.engine_worker.host import Host, HostWithDebugger
    from rt_supervisor.engine_worker.program.provider import ProgramProvider

    def _a_program_is_every_host(worker: ProgramProvider) -> tuple[Host, HostWithDebugger]:
        """Areas are imported by name, so this function makes the type checker compare the types."""
        return worker, worker


def test_only_modules_and_workers_have_the_whole_program() -> None:
    areas = Path(ops.__file__).parent.glob("*.py")
    assert {area.stem for area in areas if "ProgramProvider" in area.read_text()} == {"modules", "workers"}
