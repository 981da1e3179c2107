"""Development builds: their variants, the check of a local V8, tracepoints, and that a release contains no debug logs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
sys.path.insert(0, str(ROOT / "packaging" / "development"))

import variants  # noqa: E402
from rt_development.tracepoints import TRACEPOINTS  # noqa: E402

from rt_supervisor.engine_worker.start import library  # noqa: E402


def run_build(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, ROOT / "scripts/build", *words], capture_output=True, text=True)


@pytest.mark.parametrize("pattern", ["_native*.so", "librt_crypto.so", "librt_sqlite.so", "librt_colors.so"])
def test_installed_modules_contain_no_debug_logs(pattern: str) -> None:
    (module,) = (ROOT / "rt_supervisor").glob(pattern)
    data = module.read_bytes()
    for text in (b"RT_DEBUG_", b"RT_DEBUG_QUIET_LOGS", b"rt-debug-src", b"write_debug_log", b"plant_error", b"__asan_"):
        assert text not in data


def test_the_installed_launcher_contains_no_debug_logs() -> None:
    data = Path(sys.executable).with_name("rt").read_bytes()
    assert b"--debug-scopes" not in data
    assert b"RT_DEBUG_QUIET_LOGS" not in data


def test_only_debug_builds_enable_the_feature() -> None:
    for kind, is_debug in (("debug", True), ("local", True), ("release", False)):
        for variant in variants.Variant.of(kind, has_asan=False):
            words = variant.cargo_command("rt_native", static_libatomic=True)
            assert any("debug_logs" in word for word in words) == is_debug


def test_only_debug_builds_with_the_sanitizer_can_plant_errors() -> None:
    for kind in ("debug", "local", "release"):
        for has_asan in (False, True):
            for variant in variants.Variant.of(kind, has_asan=has_asan):
                words = variant.cargo_command("rt_native", static_libatomic=True)
                assert any("planted" in word for word in words) == (has_asan and kind != "release")
                assert not any("planted" in word for word in variant.cargo_command("rt_crypto", static_libatomic=True))


def test_libatomic_is_linked_statically_unless_off() -> None:
    (variant,) = variants.Variant.of("debug", has_asan=False)
    assert "-Clink-arg=-l:libatomic.a" in variant.cargo_command("rt_native", static_libatomic=True)
    assert "-Clink-arg=-latomic" in variant.cargo_command("rt_native", static_libatomic=False)


def test_the_scripts_of_the_manifest_name_existing_variants() -> None:
    scripts = json.loads((ROOT / "package.json").read_text())["scripts"]
    for name in ("build", "build:debug:noasan", "build:release", "build:asan", "build:local"):
        program, *words = scripts[name].split()
        assert program == "scripts/build"
        assert run_build(*words, "--help").returncode == 0
    assert {"bd", "watch", "rust:check"} <= set(scripts)


def test_the_pinned_v8_is_accepted() -> None:
    variants.check_engine(Path(library.find()) / library.LIBRARY)


def test_a_local_build_requires_a_library() -> None:
    done = run_build("local")
    assert done.returncode == 2
    assert "--v8 PATH" in done.stderr


def test_a_local_library_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = run_build("local", "--v8", str(tmp_path / "libmini_racer.so"))
    assert done.returncode == 1
    assert str(tmp_path / "libmini_racer.so") in done.stderr


def test_a_local_library_of_another_version_is_refused(tmp_path: Path) -> None:
    source = (
        'const char* version(void) __asm__("_ZN2v82V810GetVersionEv"); const char* version(void) { return "13.2.1"; }'
    )
    made = tmp_path / "libmini_racer.so"
    subprocess.run(["cc", "-shared", "-x", "c", "-", "-o", made], input=source, text=True, check=True)
    (tmp_path / "icudtl.dat").touch()
    with pytest.raises(variants.UnusableLibrary, match=re.escape(variants.pinned_engine())) as caught:
        variants.check_engine(made)
    assert "13.2.1" in str(caught.value)


@pytest.mark.parametrize("point", TRACEPOINTS, ids=lambda point: f"{point.module}.{point.function}")
def test_each_tracepoint_names_a_function_and_a_scope(point: object) -> None:
    from rt_development.tracepoints import Tracepoint

    assert isinstance(point, Tracepoint)
    found = import_module(f"rt_supervisor.{point.module}")
    for name in point.function.split("."):
        found = getattr(found, name)
    assert callable(found)
    assert f'"{point.scope}"' in (ROOT / "native/wire/src/debug_log.rs").read_text()
