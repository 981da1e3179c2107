"""Runs given commands under a chosen display, to look at real screens and to time displays without the command line.

    python benchmarks/show_run.py --display elided 'a=seq 30' 'b:a=sleep 1; echo b' 'c:a,b=exit 3'

Each argument is NAME[:DEPENDENCY,…]=COMMAND; several commands joined by ` ;; ` become hooks (pre, script, post).
"""

from __future__ import annotations

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from rt_supervisor._native import RunCore
from rt_supervisor.output import run_words
from rt_supervisor.output.writer import Writer
from rt_supervisor.plan import run_record
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.supervising.supervisor import Supervisor
from rt_supervisor.workers.client import GuardianClient


def plan_of(scripts: list[str], *, mode: str, concurrency: int) -> RunPlan:
    """Return the plan that the arguments describe."""
    heads = [script.partition("=")[0] for script in scripts]
    keys = {head.partition(":")[0]: key for key, head in enumerate(heads)}
    tasks = []
    for key, script in enumerate(scripts):
        head, _, commands = script.partition("=")
        name, _, after = head.partition(":")
        steps = []
        parts = commands.split(" ;; ")
        names = ["build"] if len(parts) == 1 else ["prebuild", "build", "postbuild"]
        for step, command in zip(names, parts, strict=False):
            environment = {**os.environ, "npm_lifecycle_event": step}
            steps.append(Step(step, command, ("/bin/bash", "-c", command), environment))
        after_keys = tuple(keys[other] for other in after.split(",") if other)
        why = "depends on " + ", ".join(after.split(",")) if after else ""
        tasks.append(Task(key, f"{name}:build", name, "build", os.getcwd(), tuple(steps), after_keys, why))
    return RunPlan(mode, tuple(tasks), concurrency, False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--display", default="elided", choices=("elided", "grouped", "json", "prefixed"))
    parser.add_argument("--elide-lines", type=int, default=10)
    parser.add_argument("--concurrency", type=int, default=1000)
    parser.add_argument("--mode", default=MODE_FILTER)
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--report")
    parser.add_argument("scripts", nargs="+")
    options = parser.parse_args()
    plan = plan_of(options.scripts, mode=options.mode, concurrency=options.concurrency)
    colour = "NO_COLOR" not in os.environ
    is_terminal = os.isatty(1)
    is_printed = options.display == "prefixed"
    record = run_record.encode(
        plan,
        run_words.words_of(plan, colour=colour, is_terminal=is_terminal, has_prefixes=is_printed),
        run_words.failures_of(plan, is_ci=False, annotates=False),
        run_record.Problems(run_words.FOLDER_GONE),
        grace_ms=2000,
        dropped=(),
        joins_streams=True,
    )
    guardian, channel, mark = GuardianClient(share_terminal=False).hand_over()
    core = RunCore(
        record,
        guardian=guardian,
        channel=channel,
        mark=mark,
        prints=is_printed,
        lists_failures=not is_terminal,
        is_watched=False,
    )
    out, err = Writer(1, core.write), Writer(2, core.write)
    if options.display == "elided":
        from rt_supervisor.output.displays.elided import ElidedDisplay

        display = ElidedDisplay(plan, out=out, elide_lines=options.elide_lines, colour=colour)
    elif options.display == "grouped":
        from rt_supervisor.output.displays.grouped import GroupedDisplay

        display = GroupedDisplay(plan, out=out, colour=colour, is_terminal=is_terminal)
    elif options.display == "json":
        from rt_supervisor.output.displays.json_lines import JsonLinesDisplay

        display = JsonLinesDisplay(plan, out=out)
    else:
        from rt_supervisor.output.displays.prefixed import PrefixedDisplay

        display = PrefixedDisplay(err=err)
    if options.summary or options.report:
        from rt_supervisor.output.displays.fan_out import FanOut
        from rt_supervisor.output.reports.report import ReportWriter
        from rt_supervisor.output.reports.summary import Summary
        from rt_supervisor.output.reports.timings import Timings

        timings = Timings(plan)
        observers = [timings]
        if options.summary:
            observers.append(Summary(timings, out=out, colour=colour))
        if options.report:
            observers.append(ReportWriter(timings, path=options.report))
        display = FanOut(display, *observers)
    result = Supervisor(core, display, encode=lambda plan: record).run()
    return result.status


if __name__ == "__main__":
    sys.exit(main())
