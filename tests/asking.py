"""Asks rt the same thing again and again as things change, with what is kept for its launcher and without."""

from __future__ import annotations

import os

from rig import Box, wait_until


class Asker:
    """Asks rt the same thing again and again, in `app` or another folder of the box."""

    def __init__(self, box: Box, *words: str, folder: str = "app") -> None:
        self.box = box
        self.words = words
        self.app = box.folder / folder
        self.variables = {"PATH": f"{box.folder / 'first'}:{box.environment()['PATH']}", "SHLVL": "1"}

    def run(self, **more: str) -> tuple[int, bytes, bytes]:
        done = self.box.run(*self.words, cwd=self.app, environment={**self.variables, **more})
        return done.returncode, done.stdout, done.stderr

    def anew(self) -> tuple[int, bytes, bytes]:
        return self.run(RT_NO_REPLAY="1")

    def kept(self) -> dict[str, int]:
        folder = self.box.cache / "rt/starts"
        return {entry.name: entry.stat().st_ino for entry in folder.iterdir()} if folder.is_dir() else {}

    def await_kept(self) -> None:
        """Run until the answer is kept: what changed a moment before it was read is not."""

        def is_repeated() -> bool:
            self.run()
            before = self.kept()
            self.run()
            return bool(before) and self.kept() == before

        wait_until(is_repeated, "an answer that is kept")


def appear(asker: Asker, name: str, text: str = "", mode: int = 0o644) -> None:
    path = asker.box.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def edit(asker: Asker, name: str, old: str, new: str, *, keep_time: bool = False) -> None:
    path = asker.box.folder / name
    if not path.exists():
        return
    about = path.stat()
    path.write_text(path.read_text().replace(old, new))
    if keep_time:
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def remove(asker: Asker, name: str) -> None:
    (asker.box.folder / name).unlink(missing_ok=True)


def relink(asker: Asker, name: str, target: str) -> None:
    remove(asker, name)
    (asker.box.folder / name).symlink_to(asker.box.folder / target)
