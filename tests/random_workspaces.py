"""Random workspaces whose packages build trees of files, random edits of them, and what a build from scratch makes of them."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

# Each builds a deterministic tree below `dist` from `src`, the outputs of dependencies and a variable.
SCRIPTS = (
    "mkdir -p dist && cat src/* > dist/all && echo built $(ls src | wc -l)",
    "mkdir -p dist/each && for f in src/*; do sort $f > dist/each/$(basename $f).out; done; ls dist/each",
    "mkdir -p dist/empty dist/bin && cat src/* > dist/bin/tool && chmod +x dist/bin/tool && ln -sf bin/tool dist/link; echo linked >&2",
    "mkdir -p dist && wc -c src/* > dist/sizes; echo ${MODE:-none} > dist/mode; cat dist/mode",
)
DEPENDENT = " && for d in $DEPS; do cp -R ../$d/dist dist/from-$d; done"


class Workspace:
    """A workspace below `root` that is edited at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.names = [f"p{number}" for number in range(self.random.randint(3, 6))]
        self.dependencies = {
            name: sorted(self.random.sample(self.names[:at], self.random.randint(0, min(at, 2))))
            for at, name in enumerate(self.names)
        }
        self.scripts = {name: self.random.choice(SCRIPTS) for name in self.names}
        self.environment = {"MODE": "one"}
        self.commands: dict[str, str] = {}
        self.snapshots: list[dict[str, bytes]] = []
        for name in self.names:
            for number in range(self.random.randint(1, 4)):
                self.write(f"packages/{name}/src/f{number}", f"{name} {number}\n")
        self.write(".gitignore", "dist\n")
        self.write("package.json", '{"name": "root", "workspaces": ["packages/*"]}')
        self.write("rtfig.toml", '[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\nenv = ["MODE"]\n')
        self.write_manifests()

    def write(self, path: str, text: str) -> None:
        at = self.root / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)

    def write_manifests(self) -> None:
        for name in self.names:
            needed = self.dependencies[name]
            script = self.scripts[name] + (DEPENDENT.replace("$DEPS", " ".join(needed)) if needed else "")
            self.commands[name] = script
            manifest = {"name": name, "dependencies": dict.fromkeys(needed, "*"), "scripts": {"build": script}}
            self.write(f"packages/{name}/package.json", json.dumps(manifest))

    def sources(self) -> list[Path]:
        return sorted(self.root.glob("packages/*/src/*"))

    def outputs(self) -> list[Path]:
        return sorted(
            path for path in self.root.glob("packages/*/dist/**/*") if path.is_file() and not path.is_symlink()
        )

    def edit(self) -> str:
        """Make one random change and return what it was."""
        edits: list[Callable[[], str]] = [
            self.change, self.change, self.add, self.remove, self.rename, self.change_script, self.change_variable,
            self.change_order, self.spoil_output, self.remove_output, self.add_foreign_output_folder, self.undo,
        ]  # fmt: skip
        return self.random.choice(edits)()

    def change(self) -> str:
        path = self.random.choice(self.sources())
        path.write_text(path.read_text() + f"{self.random.randrange(5)}\n")
        return f"change {path}"

    def add(self) -> str:
        name = self.random.choice(self.names)
        self.write(f"packages/{name}/src/new{self.random.randrange(100)}", "new\n")
        return f"add to {name}"

    def remove(self) -> str:
        path = self.random.choice(self.sources())
        if len(list(path.parent.iterdir())) > 1:
            path.unlink()
        return f"remove {path}"

    def rename(self) -> str:
        path = self.random.choice(self.sources())
        path.rename(path.with_name(f"renamed{self.random.randrange(100)}"))
        return f"rename {path}"

    def change_script(self) -> str:
        name = self.random.choice(self.names)
        self.scripts[name] = self.random.choice(SCRIPTS)
        self.write_manifests()
        return f"script of {name}"

    def change_variable(self) -> str:
        self.environment["MODE"] = self.random.choice(["one", "two"])
        return f"MODE {self.environment['MODE']}"

    def change_order(self) -> str:
        at = self.random.randrange(1, len(self.names))
        self.dependencies[self.names[at]] = sorted(
            self.random.sample(self.names[:at], self.random.randint(0, min(at, 2)))
        )
        self.write_manifests()
        return f"dependencies of {self.names[at]}"

    def spoil_output(self) -> str:
        if not self.outputs():
            return "nothing"
        path = self.random.choice(self.outputs())
        path.write_text("spoilt")
        return f"spoil {path}"

    def remove_output(self) -> str:
        if not self.outputs():
            return "nothing"
        path = self.random.choice(self.outputs())
        path.unlink()
        return f"remove {path}"

    def add_foreign_output_folder(self) -> str:
        name = self.random.choice(self.names)
        shutil.rmtree(self.root / f"packages/{name}/dist", ignore_errors=True)
        return f"remove the outputs of {name}"

    def undo(self) -> str:
        """Return to the sources of an earlier moment, whose results are in the cache."""
        if not self.snapshots:
            return "nothing"
        for path in self.sources():
            path.unlink()
        for name, data in self.random.choice(self.snapshots).items():
            (self.root / name).write_bytes(data)
        return "undo"

    def build_from_scratch(self, scratch: Path) -> list[str]:
        """Build a copy without outputs at `scratch`; return the sorted lines that rt would print."""
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(self.root, scratch, ignore=shutil.ignore_patterns("dist", ".git"), symlinks=True)
        lines = []
        for name in self.names:  # dependencies come first
            folder = scratch / "packages" / name
            environment = {**os.environ, **self.environment}
            words = ["bash", "-c", self.commands[name]]
            done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True, text=True)
            lines += [f"{name} build: {line}" for line in (done.stdout + done.stderr).splitlines()]
        return sorted(lines)

    def snapshot(self) -> None:
        self.snapshots.append({str(path.relative_to(self.root)): path.read_bytes() for path in self.sources()})


def tree(root: Path) -> dict[str, str]:
    """Return everything below `root` with type, mode and content."""
    found = {}
    paths = [Path(folder, name) for folder, folders, files in os.walk(root) for name in (*folders, *files)]
    for path in sorted(paths):
        name = str(path.relative_to(root))
        try:
            about = path.lstat()
            content = path.read_bytes() if stat.S_ISREG(about.st_mode) else b""
        except FileNotFoundError:  # a task is replacing it
            continue
        if ".git/" in f"{name}/":
            continue
        if stat.S_ISLNK(about.st_mode):
            found[name] = f"link {os.readlink(path)}"
        elif stat.S_ISDIR(about.st_mode):
            found[name] = "folder"
        else:
            found[name] = f"file {about.st_mode & 0o777:o} {content!r}"
    return found
