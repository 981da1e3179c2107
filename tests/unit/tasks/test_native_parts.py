"""What keys and decisions about outputs are made of natively: digests of parts, git's index, identities on the disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from rt_supervisor._native import digest_of, existing_paths, parse_git_index
from rt_supervisor.tasks.digests import identity_of
from rt_supervisor.tasks.outputs import are_present, read_output


def blake2b(*parts: bytes) -> str:
    return hashlib.blake2b(b"".join(b"%d:%b" % (len(part), part) for part in parts), digest_size=20).hexdigest()


def test_the_borders_of_parts_count() -> None:
    assert digest_of("ab", "c") == blake2b(b"ab", b"c")
    assert digest_of("ab", "c") != digest_of("a", "bc")
    assert digest_of() == blake2b()


def test_dicts_bytes_and_undecodable_names() -> None:
    assert digest_of({"a": "1", "b": "2"}, b"\xff", {}) == blake2b(b"a\x001\0b\x002", b"\xff", b"")
    assert digest_of("é\udcff") == blake2b("é".encode() + b"\xff")


def test_other_parts_are_refused() -> None:
    with pytest.raises(TypeError):
        digest_of(1)  # type: ignore[arg-type]


def test_entries_of_the_index() -> None:
    index = (
        b"H 100644 aa 0\tplain\0S 100644 bb 0\tsparse\0h 100755 cc 0\tassumed\0M 100644 dd 1\tboth\0M 100644 ee 2\tboth\0"
        b"H 160000 ff 0\tnested\0H 120000 ab 0\twith\ttab\0H 100644 cd 0\tname\xff\0"
    )
    files, folders = parse_git_index(index)
    assert files == {
        "plain": "100644 aa", "sparse": None, "assumed": None, "both": None, "with\ttab": "120000 ab", "name\udcff": "100644 cd",
    }  # fmt: skip
    assert folders == ["nested"]
    assert parse_git_index(b"") == ({}, [])
    assert parse_git_index(b"H\tshort\0") == ({"short": ""}, [])


def test_outputs_on_the_disk(tmp_path: Path) -> None:
    root = str(tmp_path)
    (tmp_path / "dist").mkdir(mode=0o755)
    (tmp_path / "dist" / "file\udcff").write_bytes(b"content")
    (tmp_path / "link").symlink_to("nowhere")
    outputs = {}
    for path in ("dist", "dist/file\udcff", "link"):
        about = os.lstat(tmp_path / path)
        output = read_output(root, path, about, None)
        assert output is not None
        outputs[path] = (output, identity_of(about))
    assert are_present(root, outputs)
    (tmp_path / "dist" / "other").touch()
    assert are_present(root, outputs), "the times of a folder do not count"
    (tmp_path / "dist").chmod(0o700)
    assert not are_present(root, outputs)
    (tmp_path / "dist").chmod(0o755)
    os.utime(tmp_path / "dist" / "file\udcff", ns=(1, 1))
    assert not are_present(root, outputs)
    (tmp_path / "link").unlink()
    assert not are_present(root, {"link": outputs["link"]})
    assert are_present(root, {})


def test_existing_paths(tmp_path: Path) -> None:
    (tmp_path / "file\udcff").touch()
    (tmp_path / "link").symlink_to("nowhere")
    asked = [str(tmp_path / name) for name in ("link", "absent", "file\udcff")]
    assert existing_paths(asked) == [asked[0], asked[2]]
