"""Files read, transformed and resolved ahead of the modules that are made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rt_supervisor._native import ModuleRecords, Resolver, TransformOptions


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


def test_files_are_read_again_once_forgotten(tmp_path: Path) -> None:
    write(tmp_path, {"a.mjs": "1"})
    records, path = ModuleRecords(), str(tmp_path / "a.mjs")
    records.load(path, Resolver(), TransformOptions())
    assert records.get(path) is not None
    records.forget(path)
    assert records.get(path) is None


def test_a_graph_is_read_on_a_thread_and_waited_for(tmp_path: Path) -> None:
    names = [f"m{number}.ts" for number in range(300)]
    write(tmp_path, {name: f"export const {name[:-3]}: number = 1" for name in names})
    write(tmp_path, {"a.ts": "".join(f"import './{name}'; " for name in names) + "import './gone'"})
    records, path = ModuleRecords(), str(tmp_path / "a.ts")
    if not records.begin(path, Resolver(), TransformOptions()):
        pytest.skip("threads are few here")
    record = records.get(path)
    assert record is not None
    assert len(record.targets) == 301
    for name in names:
        file = records.get(str(tmp_path / name))
        assert file is not None
        assert file.transformed is not None
        assert file.transformed.has_changes
    again = ModuleRecords().load(path, Resolver(), TransformOptions(), as_script=True)
    assert [again[index].path for index in range(len(again))] == [path, *(str(tmp_path / name) for name in names)]


def test_files_unreadable_on_a_thread_count_as_missing(tmp_path: Path) -> None:
    records, path = ModuleRecords(), str(tmp_path / "gone.ts")
    records.begin(path, Resolver(), TransformOptions())
    assert records.get(path) is None
    assert records.load(path, Resolver(), TransformOptions())[0].failure == "no such file"
