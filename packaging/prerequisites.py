"""What compiling rt requires besides Python, checked before anything is built.

Runs with the standard library of any Python 3.11, as a script (`scripts/setup`) and from the build backend. All missing
parts are reported at once, in one line for each command that installs them on Debian.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# program, what it is needed for, its Debian package
PROGRAMS = (
    ("cc", "a C compiler, for OpenSSL, SQLite and compression", "build-essential"),
    ("ld", "the linker of binutils", "binutils"),
    ("ar", "the archiver of binutils", "binutils"),
    ("make", "builds OpenSSL", "build-essential"),
    ("perl", "configures OpenSSL", "perl"),
)
# What cc must compile and link: C11, the headers of the C library, and what starts a program.
C_PROGRAM = b"""#include <stdatomic.h>
#include <stdio.h>
int main(void) { _Static_assert(sizeof(int) >= 4, ""); _Atomic int zero = 0; return printf("") + atomic_load(&zero); }
"""
OPENING = "rt cannot be built: "
RUST = "curl -sSf https://sh.rustup.rs | sh"
GIGABYTE = 1 << 30
NEEDED_BYTES = (
    3 * GIGABYTE
)  # compiled crates of a release build and the virtual environment: 1.6 GB, and room for a rebuild


def missing_parts(folder: Path, *, with_environment: bool) -> list[tuple[str, str]]:
    """Return (the name, the command that installs it) of each missing part.

    `folder` is where compiled crates go, `with_environment` is whether a virtual environment will be created.
    """
    missing = [
        (f"{name} ({purpose})", f"apt install {package}")
        for name, purpose, package in PROGRAMS
        if not shutil.which(name)
    ]
    if shutil.which("cc") and shutil.which("ld") and (problem := _c_problem()):
        missing.append(problem)
    if with_environment and importlib.util.find_spec("ensurepip") is None:
        missing.append(("venv of Python", "apt install python3-venv"))
    if not shutil.which("cargo"):
        missing.append((f"cargo (Rust {_rust_version()})", RUST))
    elif problem := _rust_problem():
        missing.append((problem, f"rustup toolchain install {_rust_version()}"))
    free = shutil.disk_usage(_nearest_folder(folder)).free
    if free < NEEDED_BYTES:
        missing.append(
            (f"{NEEDED_BYTES / GIGABYTE:.0f} GB of disk space in {folder} ({free / GIGABYTE:.1f} GB are free)", "")
        )
    return missing


def report(missing: list[tuple[str, str]]) -> str:
    """Return a line for each command, with the parts that it installs; one `apt install` names all packages."""
    parts: dict[str, list[str]] = {}
    for part, command in missing:
        parts.setdefault("apt" if command.startswith("apt install ") else command, []).append(part)
    packages = dict.fromkeys(
        command.removeprefix("apt install ") for _, command in missing if "apt install " in command
    )
    lines = []
    for command, names in parts.items():
        remedy = f"apt install {' '.join(packages)}" if command == "apt" else command
        lines.append(f"{OPENING}missing {', '.join(names)}{': ' if remedy else ''}{remedy}")
    return "\n".join(lines)


def _c_problem() -> tuple[str, str] | None:
    """Return what cc lacks to compile and link a program, and the remedy; None if it can."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["cc", "-std=gnu11", "-x", "c", "-", "-o", f"{folder}/program"]
        done = subprocess.run(command, input=C_PROGRAM, capture_output=True)
    if done.returncode == 0:
        return None
    text = done.stderr.decode(errors="replace")
    if "stdio.h" in text or "crt1.o" in text or "-lc" in text:
        return "the headers and start files of the C library", "apt install libc6-dev"
    version = subprocess.run(["cc", "-dumpfullversion", "-dumpversion"], capture_output=True, text=True).stdout.strip()
    if "gnu11" in text or "stdatomic.h" in text or "_Atomic" in text or "_Static_assert" in text:
        return f"a C compiler that knows C11 (cc is version {version or 'unknown'})", "apt install build-essential"
    last = text.strip().splitlines()[-1:] or [f"status {done.returncode}"]
    return f"a C compiler and linker that work ({last[0]})", "apt install build-essential"


def _rust_version() -> str:
    found = re.search(r'^channel = "(.+)"', (ROOT / "rust-toolchain.toml").read_text("utf-8"), re.M)
    return found[1] if found else "stable"


def _rust_problem() -> str | None:
    """Return what is wrong with the compiler that cargo would use in this checkout; None if it is new enough."""
    done = subprocess.run(["rustc", "--version"], cwd=ROOT, capture_output=True, text=True)
    found = re.match(r"rustc (\d+)\.(\d+)", done.stdout)
    if done.returncode != 0 or not found:
        return (
            f"Rust {_rust_version()} ({done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'rustc fails'})"
        )
    wanted = tuple(int(part) for part in _rust_version().split(".")[:2])
    if (int(found[1]), int(found[2])) < wanted:
        return f"Rust {_rust_version()} (found {found[1]}.{found[2]})"
    return None


def _nearest_folder(path: Path) -> Path:
    while not path.is_dir():
        path = path.parent
    return path


def main() -> int:
    missing = missing_parts(Path(sys.argv[1]), with_environment=not (ROOT / ".venv" / "bin" / "python").exists())
    if missing:
        print(report(missing), file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
