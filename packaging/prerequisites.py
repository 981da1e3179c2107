"""What compiling rt requires besides Python, checked before anything is built.

Runs with the standard library of any Python 3.11, as a script (`scripts/setup`) and from the build backend. All missing
programs are reported at once, with the command that installs them on Debian.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# program, what it is needed for, its Debian package
PROGRAMS = (
    ("cc", "a C compiler, for OpenSSL, SQLite and compression", "build-essential"),
    ("ar", "the archiver of binutils", "build-essential"),
    ("make", "builds OpenSSL", "build-essential"),
    ("perl", "configures OpenSSL", "perl"),
)
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
    if shutil.which("cc") and not _has_library_headers():
        missing.append(("the headers of the C library", "apt install build-essential"))
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
    """Return the text that names each missing part, and the commands to run, each once."""
    commands = list(dict.fromkeys(command for _, command in missing if command))
    packages = [command.removeprefix("apt install ") for command in commands if command.startswith("apt install ")]
    others = [command for command in commands if not command.startswith("apt install ")]
    lines = ["rt cannot be built: these are missing:", *(f"  {part}" for part, _ in missing)]
    if packages or others:
        lines += ["install them with:", *([f"  apt install {' '.join(packages)}"] if packages else [])]
        lines += [f"  {command}" for command in others]
    return "\n".join(lines)


def _has_library_headers() -> bool:
    done = subprocess.run(["cc", "-E", "-"], input=b"#include <stdio.h>\n", capture_output=True)
    return done.returncode == 0


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
