"""Values printed by Node, Bun and rt, many in one process (specs/printed/answer.cjs), for comparison.

A case is {"call", "source", "options"}: `source` and `options` are JavaScript expressions (js_values.py), `call`
names the printing function (`inspect` and `format` of node:util, `RT.inspect`).
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from js_values import PRELUDE

FOLDER = Path(__file__).parent / "specs" / "printed"
Case = dict[str, str]

# The number of generated values. They are the same in every run, so that a result can be reproduced;
# RT_INSPECT_RANDOM=1 generates new ones.
EXAMPLES = int(os.environ.get("RT_INSPECT_EXAMPLES", "1000"))
IS_FIXED = not os.environ.get("RT_INSPECT_RANDOM")


def examples(strategy: st.SearchStrategy[Any], count: int = EXAMPLES) -> list[Any]:
    """Return `count` values of a strategy, for tests that check them all at once."""
    found: list[Any] = []

    @settings(
        max_examples=count, derandomize=IS_FIXED, database=None, deadline=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate],
    )  # fmt: skip
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def answers(program: str, cases: list[Case], folder: Path) -> list[str]:
    """Return what `program` prints for each case, run in `folder`."""
    question, answer = folder / "cases.json", folder / "answer.json"
    question.write_text(json.dumps({"prelude": PRELUDE, "cases": cases}), encoding="utf-8")
    command = [program, str(FOLDER / "answer.cjs"), str(question), str(answer)]
    environment = {name: value for name, value in os.environ.items() if name not in ("NODE_OPTIONS", "FORCE_COLOR")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(answer.read_text(encoding="utf-8"))
    assert len(found) == len(cases)
    return found


def differences(cases: list[Case], theirs: list[str], ours: list[str]) -> str:
    """Return the shortest cases whose outputs differ, with their number; '' for none."""
    found = [each for each in zip(cases, theirs, ours, strict=True) if each[1] != each[2]]
    found.sort(key=lambda each: len(each[0]["source"]))
    shown = [
        f"{case['call']} {case['source']}  {case.get('options', '')}\n--- theirs\n{their}\n--- ours\n{our}\n"
        for case, their, our in found[:10]
    ]
    return "" if not found else f"{len(found)} of {len(cases)} differ:\n" + "\n".join(shown)
