"""`--dry-run`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rt_supervisor.output.reports.dry_run import dry_run_json, dry_run_text, waves

if TYPE_CHECKING:
    from collections.abc import Callable

    from rt_supervisor.plan.model import RunPlan


def test_waves_start_as_early_as_they_may(make_plan: Callable[..., RunPlan]) -> None:
    plan = make_plan("web<ui,api", "ui<types", "types", "api<types", "lone")
    assert [[task.package for task in wave] for wave in waves(plan)] == [["types", "lone"], ["ui", "api"], ["web"]]


def test_text(make_plan: Callable[..., RunPlan]) -> None:
    plan = make_plan("web<ui", "ui+", concurrency=1)
    assert dry_run_text(plan, base="/work") == (
        "Would run 2 scripts in 2 waves, at most 1 at once:\n"
        "\n"
        "Wave 1\n"
        "  ui build  ui\n"
        "    prebuild $ prebuild ui\n"
        "    build $ build ui\n"
        "    postbuild $ postbuild ui\n"
        "    why   matches *\n"
        "\n"
        "Wave 2\n"
        "  web build  web\n"
        "    build $ build web\n"
        "    after ui\n"
        "    why   matches *\n"
    )


def test_text_is_coloured_and_harmless(make_plan: Callable[..., RunPlan]) -> None:
    text = dry_run_text(make_plan("a\x1b[2Jb"), colour=True, base="/work")
    assert "\x1b[1;36mab build\x1b[0m" in text
    assert "\x1b[2J" not in text


def test_json(make_plan: Callable[..., RunPlan]) -> None:
    document = json.loads(dry_run_json(make_plan("web<ui", "ui")))
    assert document["schemaVersion"] == 1
    assert [(task["label"], task["wave"], task["after"]) for task in document["tasks"]] == [
        ("web:build", 2, [1]),
        ("ui:build", 1, []),
    ]
    assert document["tasks"][0]["steps"] == [{"name": "build", "command": "build web"}]
