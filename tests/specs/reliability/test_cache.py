"""rt's cache: loaded only if only this user can have written it, and rebuilt after any damage."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rig import Box, V8Files, executable

from rt_supervisor import _native

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has other users' names to try")
NOBODY = 65534
GERMAN = "new Intl.NumberFormat('de').format(1234.5)"
ANSWER = b"1.234,5\n"


def answer(box: Box, **options: str) -> tuple[int, bytes, bytes]:
    done = box.run("-p", GERMAN, environment=options)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A box with a separate cache, which the tests damage."""
    folder = tmp_path / "w"
    folder.mkdir()
    made = Box(folder, first_start=True)
    yield made
    made.close()


@pytest.fixture
def made(box: Box, v8_files: V8Files) -> Path:
    """Return the folder of V8's files in the cache, as a first start leaves it."""
    v8_files.put(box.cache, as_copies=True)
    (folder,) = (box.cache / "rt" / "v8").iterdir()
    return folder


def cache_file(folder: Path, which: str) -> Path:
    (path,) = folder.glob(which)
    return path


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def zero(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(bytes(4096))


def put_another_version(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:64] = bytes(reversed(data[:64]))
    path.unlink()
    path.write_bytes(data)


def forbid(path: Path) -> None:
    path.chmod(0)


def put_folder(path: Path) -> None:
    path.unlink()
    (path / "with").mkdir(parents=True)


def put_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def put_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def open_to_others(path: Path) -> None:
    path.chmod(0o666)


def give_away(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


DAMAGES = (empty, cut, zero, put_another_version, forbid, put_folder, put_link, put_pipe, open_to_others)


@pytest.mark.parametrize("which", ["*.snapshot", "*.code", "icudt*.dat", "*.so"])
@pytest.mark.parametrize("damage", [*DAMAGES, pytest.param(give_away, marks=needs_root)])
def test_damage_is_detected_and_repaired_silently(
    box: Box, made: Path, which: str, damage: Callable[[Path], None]
) -> None:
    path = cache_file(made, which)
    whole = path.read_bytes()
    damage(path)
    assert answer(box) == (0, ANSWER, b"")
    mended = path.read_bytes()
    # V8's own bytes differ between runs.
    is_alike = which in ("*.snapshot", "*.code") and mended[:8] == whole[:8] and len(mended) > len(whole) // 2
    assert mended == whole or is_alike
    assert answer(box) == (0, ANSWER, b"") and path.read_bytes() == mended
    assert path.stat().st_mode & 0o077 == 0 and path.stat().st_uid == os.geteuid() and not path.is_symlink()


@pytest.mark.parametrize("place", [".", ".."])
def test_folders_are_repaired_too(box: Box, made: Path, place: str) -> None:
    folder = Path(os.path.normpath(made / place))
    shutil.rmtree(folder)
    for damage in ("file", "dangling link", "pipe"):
        match damage:
            case "file":
                folder.write_text("")
            case "dangling link":
                folder.symlink_to("nowhere")
            case "pipe":
                os.mkfifo(folder)
        assert answer(box) == (0, ANSWER, b"")
        assert folder.is_dir() and not folder.is_symlink(), damage
        shutil.rmtree(folder)


def test_the_installation_is_not_shared_with_the_cache(box: Box) -> None:
    assert answer(box) == (0, ANSWER, b"")
    (made,) = (box.cache / "rt" / "v8").iterdir()
    assert [path.name for path in made.iterdir() if path.stat().st_nlink != 1] == []


def test_a_umask_of_zero_makes_a_folder_that_is_trusted(box: Box) -> None:
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-c", 'umask 0; exec "$0" -p 1', executable()], env=box.environment(), capture_output=True
        )
        assert (done.stdout, done.stderr) == (b"1\n", b"")
    assert (box.cache / "rt").stat().st_mode & 0o777 == 0o700


def test_drafts_of_processes_that_are_gone_are_removed(box: Box, made: Path) -> None:
    for name in (".0123456789abcdef.draft", "4711.draft", "x.snapshot.4711.draft"):
        (made / name).write_text("half")
    held = (made / ".00.draft").open("w")
    fcntl.flock(held, fcntl.LOCK_EX)
    cache_file(made, "*.snapshot").unlink()
    assert answer(box) == (0, ANSWER, b"")
    assert [path.name for path in made.iterdir() if "draft" in path.name] == [".00.draft"]
    held.close()


def test_a_planted_link_is_not_followed(box: Box, made: Path) -> None:
    victim = box.folder / "victim"
    victim.write_text("precious")
    snapshot = cache_file(made, "*.snapshot")
    snapshot.unlink()
    (made / "making").unlink(missing_ok=True)
    (made / "making").symlink_to(victim)
    program = "for (let pid = process.pid; pid < process.pid + 300; pid++) for (const name of [`${pid}.draft`,"
    program += " `${pid}.draft.icu`, `$NAME.${pid}.draft`]) try { require('fs').symlinkSync('$VICTIM', '$MADE/' + name) } catch {}"
    box.run("-e", program.replace("$VICTIM", str(victim)).replace("$MADE", str(made)).replace("$NAME", snapshot.name))
    for path in made.iterdir():
        if "draft" not in path.name and path.name != "making":
            path.unlink()
    assert answer(box) == (0, ANSWER, b"")
    assert victim.read_text() == "precious"
    assert sorted(path.suffix for path in made.iterdir()) == [".code", ".dat", ".snapshot", ".so"]


@pytest.fixture
def others_home(tmp_path: Path) -> Iterator[Path]:
    """Create a home that belongs to another user, below a folder that any user may enter."""
    home = tmp_path / "others"
    (home / ".cache").mkdir(parents=True)
    for path in (home, home / ".cache"):
        os.chown(path, NOBODY, NOBODY)
    yield home
    mark = f"{_native.checksum(os.fsencode(home / '.cache')):016x}"
    own = Path(pwd.getpwuid(os.geteuid()).pw_dir, ".cache", "rt", "printed-notes")
    (own / mark).unlink(missing_ok=True)


@needs_root
def test_nothing_is_loaded_from_a_home_of_another_user(box: Box, made: Path, others_home: Path) -> None:
    cache = others_home / ".cache"
    shutil.copytree(box.cache / "rt", cache / "rt")  # root's own files, in a folder that another user may change
    before = sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*"))
    snapshot = cache_file(cache / "rt" / "v8" / made.name, "*.snapshot")
    for owner in (0, NOBODY):
        os.chown(snapshot, owner, owner)
        status, out, err = answer(box, XDG_CACHE_HOME="", HOME=str(others_home))
        assert (status, out) == (0, ANSWER)
        assert err in (b"", note_about(others_home))
    traced = traced_files(box, XDG_CACHE_HOME="", HOME=str(others_home))
    assert not [name for name in traced if str(cache) in name]
    assert sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*")) == before


def note_about(home: Path) -> bytes:
    own = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    user = pwd.getpwuid(NOBODY).pw_name
    head = f"note: rt does not use the cache below {home}/.cache and "
    return f'{head}uses {own}/.cache/rt: {home} belongs to the user "{user}"\n'.encode()


def traced_files(box: Box, **options: str) -> list[str]:
    """Return the files that a program has mapped."""
    program = "console.log(require('fs').readFileSync('/proc/self/maps', 'utf8'))"
    done = box.run("-e", program, environment=options)
    assert b"libmini_racer.so" in done.stdout
    return done.stdout.decode().splitlines()


@needs_root
def test_the_note_comes_once(box: Box, others_home: Path) -> None:
    first = answer(box, XDG_CACHE_HOME="", HOME=str(others_home))
    assert first == (0, ANSWER, note_about(others_home))
    assert answer(box, XDG_CACHE_HOME="", HOME=str(others_home)) == (0, ANSWER, b"")


@needs_root
def test_the_note_is_printed_once_without_another_cache(box: Box, tmp_path: Path) -> None:
    """A user without a name and a home: creating a snapshot for this start only does not repeat the note."""
    tmp_path.chmod(0o777)
    line = "exec setpriv --reuid=54322 --regid=54322 --clear-groups --inh-caps=+dac_read_search"
    done = box.in_bash(
        f"cd /; {line} --ambient-caps=+dac_read_search $RT -p 1", environment={"XDG_CACHE_HOME": f"{tmp_path}/cache"}
    )
    assert (done.returncode, done.stdout) == (0, b"1\n"), done.stderr
    assert done.stderr.count(b"note: ") == 1
    assert done.stderr.endswith(b"starts slower without a cache: %s may be written to by others\n" % bytes(tmp_path))


@needs_root
@pytest.mark.parametrize("command", [["run", "--parallel", "a", "b"], ["run", "--filter", "*", "a"]])
def test_no_plan_of_another_user_is_run(box: Box, others_home: Path, command: list[str]) -> None:
    box.scripts(a="echo A", b="echo B")
    plans = others_home / ".cache" / "rt" / "plans"
    done = box.run(*command, environment={"XDG_CACHE_HOME": str(others_home / ".cache")})
    assert done.returncode == 0 and b"A" in done.stdout
    assert not plans.exists()


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_to_is_not_used(box: Box, made: Path, mode: int) -> None:
    if mode == 0o770:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder to another group")
        os.chown(box.cache / "rt", -1, NOBODY)
    (box.cache / "rt").chmod(mode)
    status, out, err = answer(box)
    assert (status, out) == (0, ANSWER)
    assert err.endswith(f"{box.cache}/rt may be written to by others\n".encode())
    assert not [name for name in traced_files(box) if str(box.cache) in name]


@pytest.mark.parametrize("owner", [0, pytest.param(NOBODY, marks=needs_root)])
def test_links_on_the_path_are_checked_too(box: Box, tmp_path: Path, owner: int) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to("real")
    if owner == NOBODY:
        os.lchown(link, owner, owner)
    answer(box, XDG_CACHE_HOME=str(link))
    assert (real / "rt").exists() == (owner != NOBODY)


@needs_root
def test_another_user_has_a_separate_cache(box: Box, others_home: Path) -> None:
    for folder in [others_home, *others_home.parents][:5]:
        folder.chmod(folder.stat().st_mode | 0o055)
    # The user may read everything, wherever rt is installed, but not write.
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    as_nobody += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    environment = box.environment(XDG_CACHE_HOME="", HOME=str(others_home))
    for _ in range(2):
        done = subprocess.run([*as_nobody, executable(), "-p", GERMAN], env=environment, cwd="/", capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, ANSWER, b"")
    (folder,) = (others_home / ".cache" / "rt" / "v8").iterdir()
    assert {path.suffix for path in folder.iterdir()} == {".code", ".dat", ".parts", ".snapshot", ".so"}
    assert {path.stat().st_uid for path in folder.iterdir()} == {NOBODY}
