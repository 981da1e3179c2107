"""Archives as files, also hostile ones."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest
from registries import archive

from rt_supervisor.packages.problems import PackageProblem
from rt_supervisor.packages.unpacking import UnpackingBounds, make_executable, path_inside, unpack


def tar_of(*members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.size = kind, link, len(data)
            tar.addfile(member, io.BytesIO(data))
    return target.getvalue()


def unpack_bytes(data: bytes, folder: Path, bounds: UnpackingBounds | None = None) -> None:
    unpack(io.BytesIO(data), str(folder), bounds or UnpackingBounds())


def test_files_and_their_modes(tmp_path: Path) -> None:
    unpack_bytes(archive({"name": "a"}, {"bin/run": "#!", "deep/x.js": "1"}), tmp_path / "a")
    assert (tmp_path / "a/deep/x.js").read_text() == "1"
    assert [(tmp_path / "a" / name).stat().st_mode & 0o777 for name in ("bin/run", "deep/x.js")] == [0o755, 0o644]


@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 1024, 300_000])
@pytest.mark.parametrize("is_compressed", [True, False])
def test_sizes_around_a_block(tmp_path: Path, size: int, is_compressed: bool) -> None:
    data = tar_of(("package/a", b"a" * size), ("package/b", b"b" * size), ("package/" + "long/" * 40 + "c", b"c"))
    unpack_bytes(gzip.compress(data) if is_compressed else data, tmp_path)
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"a" * size, b"b" * size]
    assert (tmp_path / ("long/" * 40 + "c")).read_bytes() == b"c"


def test_paths_outside_the_package_are_refused(tmp_path: Path) -> None:
    for name in ("package/../../out", "package/../x"):
        with pytest.raises(PackageProblem, match="outside the package"):
            unpack_bytes(tar_of((name, b"")), tmp_path / "b/c")


def test_links_devices_and_sparse_files_are_left_out(tmp_path: Path) -> None:
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        unpack_bytes(tar_of(("package/link", b""), kind=kind, link="/etc/passwd"), tmp_path / "d")
    assert not (tmp_path / "d").exists()
    sparse = tarfile.TarInfo("package/sparse")
    sparse.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": "0,0",
        "GNU.sparse.size": f"{1 << 50}",
    }
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(sparse)
    unpack_bytes(target.getvalue(), tmp_path / "e")
    assert not (tmp_path / "e").exists()


def test_bounds(tmp_path: Path) -> None:
    bomb = gzip.compress(tar_of(("package/a", bytes(1 << 20))))
    assert len(bomb) < 5000
    with pytest.raises(PackageProblem, match=r"^its archive holds more than 0 MB$"):
        unpack_bytes(bomb, tmp_path / "a", UnpackingBounds(data_bytes=1 << 19))
    with pytest.raises(PackageProblem, match=r"^its archive has more than 2 files$"):
        unpack_bytes(tar_of(*[(f"package/{n}", b"") for n in range(3)]), tmp_path / "b", UnpackingBounds(files=2))
    long_name = gzip.compress(tar_of(("package/" + "x" * 100_000, b"")))
    with pytest.raises(PackageProblem, match=r"^its archive has a header that is too large$"):
        unpack_bytes(long_name, tmp_path / "c", UnpackingBounds(read_bytes=50_000))


@pytest.mark.parametrize("cut", [1, 30, 200, -30])
def test_damaged_archives(tmp_path: Path, cut: int) -> None:
    whole = archive({"name": "a"}, {"x.js": "".join(chr(65 + n * n % 57) for n in range(5000))})
    for data in (whole[:cut], whole[:12] + b"\xff" * 40 + whole[52:], b"<html>not an archive" * 100):
        with pytest.raises(PackageProblem) as problem:
            unpack_bytes(data, tmp_path / "a")
        assert str(problem.value) == "its archive is damaged, or not a tar file"


def test_programs_become_executable_inside_the_package_only(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    for path in (package / "run.js", tmp_path / "outside.js"):
        path.write_text("")
        path.chmod(0o644)
    make_executable(str(package), ["./run.js", "../outside.js", "gone.js", str(tmp_path / "outside.js"), "."])
    assert os.access(package / "run.js", os.X_OK)
    assert (tmp_path / "outside.js").stat().st_mode & 0o777 == 0o644


def test_paths_inside() -> None:
    assert path_inside("/p", "./a/../b") == "/p/b"
    for path in ("..", "../p2/x", "/etc/x", ".", "a/../..", "a\0b", ""):
        assert path_inside("/p", path) is None
