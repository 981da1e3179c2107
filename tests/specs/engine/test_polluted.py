"""Programs that freeze or change built-in objects, as hardening and old libraries do: the library keeps working."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rig import Box

HERE = Path(__file__).parent / "polluted"
FROZEN = (
    "Object.prototype",
    "Array.prototype",
    "Function.prototype",
    "String.prototype",
    "RegExp.prototype",
    "Promise.prototype",
    "Error.prototype",
    "Map.prototype",
    "Uint8Array.prototype",
    "Object.getPrototypeOf(Uint8Array.prototype)",
)


@pytest.mark.parametrize("frozen", [*FROZEN, ", ".join(FROZEN)])
def test_frozen_prototypes(box: Box, frozen: str) -> None:
    """Freezes before anything but the entry is loaded, so that files loaded later see frozen prototypes."""
    shutil.copy(HERE / "tour.cjs", box.folder)
    source = f"for (const one of [{frozen}]) Object.freeze(one);\nrequire('./tour.cjs')(__dirname);"
    box.write({"a.cjs": source})
    done = box.run("a.cjs")
    assert sorted(done.stdout.decode().splitlines()) == ["child z", "import ok", "late ok", "tour ok"]
    assert done.returncode == 0


NAMES = ("get", "set", "value", "writable", "enumerable", "configurable", "stdio", "uid", "timeout", "shell", "cwd")


@pytest.mark.parametrize("name", NAMES)
def test_names_on_the_prototype_of_all_objects(box: Box, name: str) -> None:
    shutil.copy(HERE / "tour.cjs", box.folder)
    source = f"Object.prototype.{name} = function () {{ throw new TypeError('polluted'); }};\n"
    box.write({"a.cjs": source + "require('./tour.cjs')(__dirname);"})
    assert sorted(box.run("a.cjs").stdout.decode().splitlines()) == ["child z", "import ok", "late ok", "tour ok"]


def test_methods_that_throw(box: Box) -> None:
    shutil.copy(HERE / "methods.cjs", box.folder)
    assert box.run("methods.cjs").stdout.decode().splitlines() == ["cases done"]
