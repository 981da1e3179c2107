"""The variants in which `scripts/build` builds rt: cargo profile, features, AddressSanitizer, and the check of a local V8.

A variant with AddressSanitizer has a target folder for itself, because every crate is compiled differently. The sanitizer is
an unstable option of rustc, which RUSTC_BOOTSTRAP=1 permits in the pinned stable compiler. Its runtime is part of the
toolchain as a static library; `sanitizer_runtime` links it into a shared one, which is preloaded into the interpreter.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-gnu"
# cargo package -> file name in the Python package
LIBRARIES = {
    "rt_native": "_native.abi3.so",
    "rt_crypto": "librt_crypto.so",
    "rt_sqlite": "librt_sqlite.so",
    "rt_colors": "librt_colors.so",
}
LAUNCHER = "rt_launcher"
DEBUG_FEATURE = "debug_logs"
# Crates with that feature.
WITH_DEBUG_LOGS = frozenset(("rt_native", LAUNCHER))
PLANTED_FEATURE = "rt_native/planted_errors"
_ASAN_FLAGS = "-Zsanitizer=address -Cforce-frame-pointers=yes"
_LEAK_SEARCH = ROOT / "packaging" / "development" / "leak_search.c"
_RUNTIME_EXPORTS = ROOT / "packaging" / "development" / "asan_exports.map"
_PIN = ROOT / "native" / "src" / "v8" / "api" / "layout.rs"


class UnusableLibrary(Exception):
    """A local V8 library does not exist, cannot be loaded, or has another version than the pin."""


class Variant(NamedTuple):
    """A command, and how its native modules are built."""

    name: str
    profile: str
    has_asan: bool

    @staticmethod
    def of(kind: str, *, has_asan: bool) -> tuple[Variant, ...]:
        """Return the variants of `debug`, `release` or `local`."""
        if kind != "release":
            return (Variant("rt-debug", "dev", has_asan),)
        if has_asan:
            return (Variant("rt", "release", True),)
        return Variant("rt", "release", False), Variant("rt-profile", "profiling", False)

    @property
    def is_debug(self) -> bool:
        return self.profile == "dev"

    def is_prepared(self) -> bool:
        """Whether the interpreter is prepared (`packaging/development`) before rt starts."""
        return self.is_debug or self.has_asan

    def environment(self) -> dict[str, str]:
        """Return the environment of cargo."""
        changes = {"PYO3_PYTHON": str(ROOT / ".venv" / "bin" / "python")}
        if self.has_asan:
            target = os.environ["CARGO_TARGET_DIR"]
            changes |= {"RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": _ASAN_FLAGS, "CARGO_TARGET_DIR": f"{target}-asan"}
        return os.environ | changes

    def cargo_command(self, package: str, *, static_libatomic: bool) -> list[str]:
        """Return the command that builds the library of a package."""
        command = ["cargo", "rustc", "--quiet", "--lib", f"--package={package}", f"--profile={self.profile}"]
        if self.has_asan:  # with a target, build scripts and macros are not instrumented
            command.append(f"--target={TARGET}")
        if self.is_debug and package in WITH_DEBUG_LOGS:
            command.append(f"--features={package}/{DEBUG_FEATURE}")
        if self.is_debug and self.has_asan and PLANTED_FEATURE.startswith(f"{package}/"):
            command.append(f"--features={PLANTED_FEATURE}")
        atomic = (
            ["-l:libatomic.a"] if static_libatomic else ["-Wl,--push-state,--as-needed", "-latomic", "-Wl,--pop-state"]
        )
        return [*command, "--", *(f"-Clink-arg={word}" for word in atomic)]

    def output_folder(self) -> Path:
        """Return the folder in which cargo places the libraries."""
        folder = Path(self.environment()["CARGO_TARGET_DIR"])
        return (folder / TARGET if self.has_asan else folder) / {"dev": "debug"}.get(self.profile, self.profile)

    def launcher_command(self) -> list[str]:
        """Return the command that builds the launcher; it is never instrumented, because it has no preloaded runtime."""
        feature = f"--features={LAUNCHER}/{DEBUG_FEATURE}"
        return ["cargo", "build", "--quiet", f"--package={LAUNCHER}", "--bin=rt", f"--profile={self.profile}", feature]

    def launcher_environment(self) -> dict[str, str]:
        return dict(os.environ)

    def launcher_path(self) -> Path:
        return Path(os.environ["CARGO_TARGET_DIR"]) / {"dev": "debug"}.get(self.profile, self.profile) / "rt"


def sanitizer_runtime(folder: Path) -> Path:
    """Link the toolchain's AddressSanitizer and the search for leaks into a shared library in `folder`; return its path."""
    sysroot = subprocess.run(["rustc", "--print=sysroot"], cwd=ROOT, capture_output=True, text=True, check=True)
    libraries = Path(sysroot.stdout.strip()) / "lib" / "rustlib" / TARGET / "lib"
    (archive,) = libraries.glob("librustc-*_rt.asan.a")
    runtime = folder / "librt_asan.so"
    shared = folder / "librt_asan.a"
    shutil.copyfile(archive, shared)
    # The member that programs run before their libraries: shared libraries cannot contain it, and preloading replaces it.
    subprocess.run(["ar", "d", str(shared), "asan_preinit.cpp.o"], check=True)
    whole = ["-Wl,--whole-archive", str(shared), "-Wl,--no-whole-archive", f"-Wl,--version-script={_RUNTIME_EXPORTS}"]
    words = ["cc", "-shared", "-O1", "-Wall", "-fPIC", "-o", str(runtime), str(_LEAK_SEARCH)]
    subprocess.run([*words, *whole, "-lpthread", "-ldl", "-lm", "-lrt", "-lresolv"], check=True)
    return runtime


def pinned_engine() -> str:
    """Return the version of V8 that rt's layouts describe."""
    found = re.search(r'^pub const VERSION: &str = "(.+)";', _PIN.read_text("utf-8"), re.M)
    assert found, _PIN
    return found[1]


def check_engine(library: Path) -> None:
    """Raise UnusableLibrary unless `library` is V8 in the pinned version, with the data of ICU beside it."""
    data = library.with_name("icudtl.dat")
    for path in (library, data):
        if not path.is_file():
            raise UnusableLibrary(f"{path} does not exist; a local V8 is libmini_racer.so with icudtl.dat beside it")
    program = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1])._ZN2v82V810GetVersionEv; f.restype = ctypes.c_char_p; print(f().decode())"
    done = subprocess.run([sys.executable, "-c", program, str(library)], capture_output=True, text=True)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}"
        raise UnusableLibrary(f"{library} is not a V8 library that rt can use: {reason}")
    version, pin = done.stdout.strip(), pinned_engine()
    if version != pin:
        raise UnusableLibrary(f"{library} is V8 {version}, and rt is pinned to V8 {pin} ({_PIN.relative_to(ROOT)})")
