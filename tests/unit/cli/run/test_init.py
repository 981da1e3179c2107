"""`rt init` writes a config file that changes nothing, and never replaces one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rt_supervisor.cli.line.config_keys import find_key
from rt_supervisor.cli.run.init import write_config
from rt_supervisor.settings import config
from rt_supervisor.vocabulary.errors import Failed


def test_the_file_sets_nothing(tmp_path: Path) -> None:
    assert write_config(str(tmp_path)) == 0
    loaded = config.load(str(tmp_path), None, find_key)
    assert (dict(loaded.options), loaded.warnings) == ({}, ())


def test_an_existing_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "rtfig.toml"
    file.write_text("smol = true\n")
    with pytest.raises(Failed) as caught:
        write_config(str(tmp_path))
    assert caught.value.failure.reason == "config-exists"
    assert file.read_text() == "smol = true\n"


def test_a_link_to_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "rtfig.toml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Failed):
        write_config(str(tmp_path))
    assert not (tmp_path / "elsewhere").exists()
