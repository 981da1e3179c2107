"""The stubs of the native modules say what these have: names and signatures, compared by mypy's stubtest.

`_crypto.pyi` names no functions, because JavaScript alone calls them: here they are compared with what it calls.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("native_stub_allowed.txt")


LIBRARY = PROJECT / "rt_supervisor" / "engine_worker" / "js"


def differences(module: str, cache: Path, *options: str) -> str:
    """Return what stubtest finds wrong with the stub of `module`."""
    pytest.importorskip("mypy.stubtest")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases", *options, module],
        cwd=PROJECT,
        env={"MYPY_CACHE_DIR": str(cache), "PATH": ""},
        capture_output=True,
        text=True,
    )
    return "" if checked.returncode == 0 else checked.stdout + checked.stderr


def test_the_stub_is_as_the_module(tmp_path: Path) -> None:
    assert differences("rt_supervisor._native", tmp_path, "--allowlist", str(ALLOWED)) == ""


def test_the_stub_of_the_crypto_module_is_as_the_module(tmp_path: Path) -> None:
    assert differences("rt_supervisor._crypto", tmp_path, "--ignore-missing-stub") == ""


def test_javascript_calls_what_the_crypto_module_has_and_all_of_it() -> None:
    from rt_supervisor import _crypto

    functions = {name for name, each in vars(_crypto).items() if callable(each) and not isinstance(each, type)}
    assert len(functions) > 100
    text = "\n".join(path.read_text() for path in LIBRARY.rglob("*.js"))
    called = set(re.findall(r"\bbinding\(\)\.(\w+)\(", text))
    assert len(called) > 50, "this sees nothing"
    assert called - functions == set()
    assert functions - set(re.findall(r"\w+", text)) == set(), "nobody calls them"
