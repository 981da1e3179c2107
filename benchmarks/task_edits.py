"""Cached builds of a real repository, compared with builds from scratch: no stale result, no needless miss.

    benchmarks/task_edits.py FOLDER [--script build] [--edits 50] [--seed 1] [--rt .venv/bin/rt]

FOLDER is a git checkout whose packages are installed. It is copied twice. Each edit is made in both copies; one runs
`rt run --cache SCRIPT`, the other one the script without a cache after everything that git ignores was removed, except `node_modules`.
Edits are: a comment or an export is appended to a source file, a file is added, a file that no build reads changes, a file gets another
time, and all sources return to an earlier state. After the last three, a run is a needless miss.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = (".ts", ".tsx", ".mts", ".js", ".mjs")
FOLDERS = frozenset({"src", "source", "lib"})
KNOWN_STATES = 4  # rt keeps the traces of eight runs
NOTES = "edits-that-no-build-reads/notes.txt"
NOT_COMPARED = frozenset({"node_modules", ".git"})


class Copies:
    """Two copies of a repository, `cached` and `scratch`, that get the same edits."""

    def __init__(self, origin: Path, place: Path, seed: int) -> None:
        self.cached, self.scratch = place / "cached", place / "scratch"
        for copy in (self.cached, self.scratch):
            shutil.copytree(origin, copy, symlinks=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=origin, capture_output=True, check=True, text=True
        ).stdout
        names = [name for name in listed.split("\0") if name.endswith(SOURCES) and not name.endswith(".d.ts")]
        self._sources = [name for name in names if FOLDERS.intersection(name.split("/")) and ".test." not in name]
        if not self._sources:
            raise SystemExit(f"{origin} has no tracked sources below a folder named {', '.join(sorted(FOLDERS))}")
        self._random = random.Random(seed)
        self._states: list[dict[str, str]] = []  # that were built
        self._added: list[str] = []
        self._write(NOTES, "")

    def edit(self, number: int) -> tuple[str, bool]:
        """Make one edit. Return what it was, and whether a run after it must be a hit."""
        kind = self._random.choice(("comment", "export", "add", "unread", "time", "undo"))
        name = self._random.choice(self._sources)
        present = [*self._sources, *(path for path in self._added if (self.cached / path).exists())]
        self._states.append({path: (self.cached / path).read_text() for path in present})
        if kind == "undo":
            self._return_to(self._random.choice(self._states[-KNOWN_STATES:]))
            return kind, True
        text = (self.cached / name).read_text()
        match kind:
            case "comment":
                self._write(name, f"{text}\n// edit {number}\n")
            case "export":
                self._write(name, f"{text}\nexport const edit{number} = {number};\n")
            case "add":
                self._added.append(f"{os.path.dirname(name)}/edit{number}.ts")
                self._write(self._added[-1], f"export const edit = {number};\n")
            case "unread":
                self._write(NOTES, f"{number}\n")
                return kind, True
            case _:
                os.utime(self.cached / name)
                return f"time of {name}", True
        return f"{kind} {name}", False

    def _return_to(self, state: dict[str, str]) -> None:
        for path in self._added:
            if path not in state:
                for copy in (self.cached, self.scratch):
                    (copy / path).unlink(missing_ok=True)
        for path, text in state.items():
            self._write(path, text)

    def _write(self, name: str, text: str) -> None:
        for copy in (self.cached, self.scratch):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            if not (copy / name).exists() or (copy / name).read_text() != text:
                (copy / name).write_text(text)


def tree(root: Path) -> dict[str, str]:
    """Return the files and links below `root` with mode and content."""
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_COMPARED]
        for name in files:
            path = Path(folder, name)
            about = path.lstat()
            content = os.readlink(path) if stat.S_ISLNK(about.st_mode) else path.read_bytes().hex()
            found[str(path.relative_to(root))] = f"{about.st_mode:o} {content}"
    return found


def remove_ignored(root: Path) -> None:
    """Remove what git ignores, except installed packages."""
    words = ["git", "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
    listed = subprocess.run(words, cwd=root, capture_output=True, check=True, text=True).stdout
    for path in (root / name for name in listed.split("\0") if name and "node_modules" not in Path(name).parts):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def run(words: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} fails in {folder}:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout + done.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--script", default="build")
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rt", default=str(Path(__file__).parents[1] / ".venv/bin/rt"))
    given = parser.parse_args()
    rt = str(Path(given.rt).resolve())
    stale = needless = hits = not_stored = 0
    with tempfile.TemporaryDirectory() as place:
        copies = Copies(given.folder.resolve(), Path(place), given.seed)
        environment = {**os.environ, "XDG_CACHE_HOME": f"{place}/cache", "NO_COLOR": "1"}
        for number in range(given.edits + 1):
            edit, must_hit = copies.edit(number) if number else ("first run", False)
            printed = run([rt, "run", "--cache", given.script], copies.cached, environment)
            remove_ignored(copies.scratch)
            run([rt, "run", "--no-cache", given.script], copies.scratch, environment)
            is_hit = ": cached, saved " in printed
            before, after = tree(copies.cached), tree(copies.scratch)
            different = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            hits += is_hit
            stale += bool(different)
            needless += must_hit and not is_hit
            not_stored += "not stored" in printed
            shown = f"{'hit' if is_hit else 'run'}{'; DIFFERENT: ' + ', '.join(different[:5]) if different else ''}"
            print(f"{number:3} {edit}: {shown}", flush=True)
            if "not stored" in printed:
                print(printed[printed.index("warn") :].splitlines()[0], flush=True)
    print(
        f"{given.edits} edits: {hits} hits, {stale} different trees, {needless} needless misses, {not_stored} not stored"
    )
    sys.exit(bool(stale or needless))


if __name__ == "__main__":
    main()
