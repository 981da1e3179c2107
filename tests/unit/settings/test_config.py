"""rtfig.toml: its valid contents, and the errors for invalid ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.cli.line import flags
from rt_supervisor.settings import config
from rt_supervisor.vocabulary.errors import Failed


def load(folder: Path, text: str, given: str | None = None) -> config.Config:
    (folder / (given or "rtfig.toml")).write_bytes(text.encode())
    return config.load(str(folder), given)


def failure(folder: Path, text: str) -> str:
    with pytest.raises(Failed) as caught:
        load(folder, text)
    return caught.value.failure.message


def test_all_known_keys(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        'preload = ["./a", "./b"]\nsmol = true\njsx = "react"\njsxFactory = "h"\n'
        '[define]\nA = "1"\n[loader]\n".md" = "text"\n'
        '[run]\nshell = "system"\nsilent = true\nrt = false\nelide-lines = 3\n[console]\ndepth = 4\n[install]\nauto = "force"\n'
        "[serve]\nport = 8080\n",
    )
    assert loaded.options == {
        "preload": ("./a", "./b"),
        "smol": True,
        "jsx-runtime": "classic",
        "jsx-factory": "h",
        "define": ("A:1",),
        "loader": (".md:text",),
        "shell": "system",
        "silent": True,
        "rt": False,
        "elide-lines": 3,
        "console-depth": 4,
        "install": "force",
        "port": 8080,
    }
    assert loaded.warnings == ()


def test_values_of_jsx(tmp_path: Path) -> None:
    for value, runtime in (
        ("react", "classic"),
        ("react-jsx", "automatic"),
        ("react-jsxdev", "automatic"),
        ("classic", "classic"),
        ("automatic", "automatic"),
    ):
        assert load(tmp_path, f'jsx = "{value}"').options == {"jsx-runtime": runtime}
    message = 'rtfig.toml:2: "jsx" must be "react", "react-jsx" or "react-jsxdev"'
    assert failure(tmp_path, '\njsx = "preserve"') == failure(tmp_path, "\njsx = true") == message


def test_the_port_of_servers(tmp_path: Path) -> None:
    assert load(tmp_path, "[serve]\nport = 0").options == {"port": 0}
    for value in ("-1", "65536", "true", '"80"', "1.5"):
        message = 'rtfig.toml:2: "serve.port" must be a whole number from 0 to 65535'
        assert failure(tmp_path, f"[serve]\nport = {value}") == message
    assert load(tmp_path, '[serve.static]\nplugins = ["x"]').warnings == ()


def test_names_of_bun_in_run(tmp_path: Path) -> None:
    assert load(tmp_path, "[run]\nbun = true\nnoOrphans = true").options == {"rt": True, "no-orphans": True}


def test_every_key_stands_for_a_flag() -> None:
    assert all(flag in flags.BY_NAME for flag, _ in config._KEYS.values())


def test_no_file_costs_nothing_and_says_nothing(tmp_path: Path) -> None:
    assert config.load(str(tmp_path), None) == config.Config(None, {})
    script = (
        "import sys; from rt_supervisor.settings import config; config.load('/', None); print('tomllib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "False\n"


def test_a_requested_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r'^cannot read config file "gone.toml": No such file or directory$'):
        config.load(str(tmp_path), "gone.toml")
    with pytest.raises(Failed, match="not a regular file"):
        config.load(str(tmp_path), ".")


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rtfig.toml")
    with pytest.raises(Failed, match="not a regular file"):
        config.load(str(tmp_path), None)


def test_another_file(tmp_path: Path) -> None:
    assert load(tmp_path, 'preload = "./pre.ts"', "other.toml").options == {"preload": ("./pre.ts",)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b = 1", "rtfig.toml:1:3: Expected '=' after a key in a key/value pair"),
        ('[run]\nsilent = "', "rtfig.toml:2:11: Unterminated string"),
        ("x = 1\nx = 2\n", "rtfig.toml:2:6: Cannot overwrite a value"),
        ("[run", "rtfig.toml:1:5: Expected ']' at the end of a table declaration"),
        ('[run]\n\nshell = "zsh"', 'rtfig.toml:3: "run.shell" must be "rt" or "system"'),
        ("[run]\nsilent = 1", 'rtfig.toml:2: "run.silent" must be true or false'),
        ("[run]\nelide-lines = -1", 'rtfig.toml:2: "run.elide-lines" must be a whole number of at least 0'),
        ("[run]\nelide-lines = true", 'rtfig.toml:2: "run.elide-lines" must be a whole number of at least 0'),
        ("preload = [1]", 'rtfig.toml:1: "preload" must be a string or a list of strings'),
        ("[define]\nA = 1", 'rtfig.toml:1: "define" must be a table of strings'),
    ],
)
def test_errors_have_a_location(tmp_path: Path, text: str, message: str) -> None:
    assert failure(tmp_path, text).startswith(message)


def test_invalid_utf_8(tmp_path: Path) -> None:
    (tmp_path / "rtfig.toml").write_bytes(b"a = 1\nb = '\xff'")
    with pytest.raises(Failed, match=r"rtfig.toml:2: not UTF-8$"):
        config.load(str(tmp_path), None)


def test_unknown_keys_warn(tmp_path: Path) -> None:
    loaded = load(tmp_path, '[run]\nshel = "rt"\n[tests]\nroot = "x"\n')
    assert loaded.warnings == ('rtfig.toml:2: unknown key "run.shel"', 'rtfig.toml:3: unknown key "tests"')


def test_nesting_without_end(tmp_path: Path) -> None:
    assert failure(tmp_path, "a = " + "[" * 50_000).startswith("rtfig.toml")


def test_crlf_and_bom(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff[run]\r\nsilent = true\r\n").options == {"silent": True}


def test_the_command_line_wins_and_preloads_add_up(tmp_path: Path) -> None:
    loaded = load(tmp_path, 'preload = "./one"\n[run]\nsilent = true\nshell = "rt"')
    merged = config.merge(loaded, {"shell": "system", "preload": ("./two",)})
    assert merged == {"silent": True, "shell": "system", "preload": ("./one", "./two")}


@given(st.text(alphabet='[]{}=." \n#abruntsile,1t', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        config._parse(text, "/rtfig.toml", "rtfig.toml")
    except Failed as failed:
        assert failed.failure.message.startswith("rtfig.toml:")


def test_the_settings_that_init_writes_are_valid(tmp_path: Path) -> None:
    lines = config.starter_text().splitlines()
    settings = [line.removeprefix("# ") for line in lines if line.startswith("# ") and ("=" in line or line[2] == "[")]
    loaded = load(tmp_path, "\n".join(settings))
    assert loaded.warnings == ()
    assert len(loaded.options) == len([line for line in settings if line[0] != "["])
