"""The stub of the native module matches it in names and signatures, as checked by mypy's stubtest.

The functions of the crypto library, which only JavaScript calls, are compared with its calls.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("native_stub_allowed.txt")


LIBRARY = PROJECT / "rt_supervisor" / "engine_worker" / "js"


def differences(module: str, cache: Path, *options: str) -> str:
    """Return the errors of stubtest for the stub of `module`."""
    pytest.importorskip("mypy.stubtest")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases", *options, module],
        cwd=PROJECT,
        env={"MYPY_CACHE_DIR": str(cache), "PATH": ""},
        capture_output=True,
        text=True,
    )
    return "" if checked.returncode == 0 else checked.stdout + checked.stderr


def test_the_stub_matches_the_module(tmp_path: Path) -> None:
    assert differences("rt_supervisor._native", tmp_path, "--allowlist", str(ALLOWED)) == ""


def crypto_functions() -> set[str]:
    """Return the names of the functions of the crypto library, as listed in `native/wire/src/crypto_calls.rs`."""
    library = ctypes.CDLL(str(PROJECT / "rt_supervisor" / "librt_crypto.so"))
    library.rt_crypto_calls.restype = ctypes.POINTER(ctypes.c_void_p)
    called_back = (ctypes.c_void_p * 2)()
    name_of = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_size_t)(library.rt_crypto_calls(called_back)[0])
    names = itertools.takewhile(bool, map(name_of, itertools.count()))
    return {name.decode() for name in names}


def test_javascript_calls_exactly_the_functions_of_the_crypto_library() -> None:
    functions = crypto_functions()
    assert len(functions) > 100
    text = "\n".join(path.read_text() for path in LIBRARY.rglob("*.js"))
    called = set(re.findall(r"\bbinding\(\)\.(\w+)\(", text))
    assert len(called) > 50, "this sees nothing"
    assert called - functions == set()
    assert functions - set(re.findall(r"\w+", text)) == set(), "nobody calls them"
