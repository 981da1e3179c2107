"""The resolver and the runtime agree on what is built in."""

from __future__ import annotations

import json

from rig import Box

from rt_supervisor.engine_worker.modules.builtin_names import BUILTINS


def test_both_halves_name_the_same_modules(box: Box) -> None:
    result = box.run("-p", "JSON.stringify(require('node:module').builtinModules)")
    assert sorted(json.loads(result.stdout)) == sorted(BUILTINS)
