"""Manifests: what they say is what they were made of, a change of one file changes one part, and paths stay in the tree."""

from __future__ import annotations

import pytest

from rt_supervisor._native import blob_digest
from rt_supervisor.cluster.manifests import (
    EXECUTABLE_MODE,
    LINK_MODE,
    PLAIN_MODE,
    Row,
    decode_part,
    encode,
    part_digests,
)

MODES = (PLAIN_MODE, EXECUTABLE_MODE, LINK_MODE)
ROWS = [Row(f"packages/p{number % 40}/src/{number}.js", MODES[number % 3], f"{number:040x}") for number in range(400)]
ROWS.append(Row("with space \udcff", MODES[0], "0" * 40))
FILES = [(row.path, f"{row.mode:o} {row.digest}") for row in ROWS]


def test_a_manifest_lists_the_parts_which_have_all_rows_in_any_order() -> None:
    manifest, parts = encode(FILES)
    assert part_digests(manifest) == list(parts) == list(map(blob_digest, parts.values()))
    assert sorted(row for part in parts.values() for row in decode_part(part)) == sorted(ROWS)
    assert encode(reversed(FILES)) == (manifest, parts)


def test_a_change_of_one_file_changes_one_part() -> None:
    _, parts = encode(FILES)
    _, changed = encode([*FILES[:-1], (FILES[-1][0], f"100644 {'1' * 40}")])
    assert len(set(changed) - set(parts)) == 1


@pytest.mark.parametrize("path", ["/etc/passwd", "../above", "a/../b", "a//b", "", "a/."])
def test_paths_that_leave_the_tree_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="not a path in the tree"):
        decode_part(f"100644 {'0' * 40} {path}\0".encode())


def test_other_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="mode 104755"):
        decode_part(f"104755 {'0' * 40} a\0".encode())
