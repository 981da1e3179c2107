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
from rt_supervisor.cli.line.config_keys import find_key
from rt_supervisor.settings import config
from rt_supervisor.settings.starter import starter_text
from rt_supervisor.vocabulary.errors import Failed


def load(folder: Path, text: str, given: str | None = None) -> config.Config:
    (folder / (given or "rtfig.toml")).write_bytes(text.encode())
    return config.load(str(folder), given, find_key)


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
        ("react-jsxDEV", "automatic"),
    ):
        assert load(tmp_path, f'jsx = "{value}"').options == {"jsx-runtime": runtime}
    message = 'rtfig.toml:2: "jsx" must be "react", "react-jsx", "react-jsxdev" or "react-jsxDEV"'
    for value in ('"preserve"', '"classic"', '"automatic"', "true"):
        assert failure(tmp_path, f"\njsx = {value}") == message
    assert load(tmp_path, '[run]\njsx-runtime = "classic"').options == {"jsx-runtime": "classic"}


def test_the_port_of_servers(tmp_path: Path) -> None:
    assert load(tmp_path, "[serve]\nport = 0").options == {"port": 0}
    for value in ("-1", "65536", "true", '"80"', "1.5"):
        message = 'rtfig.toml:2: "serve.port" must be a whole number from 0 to 65535'
        assert failure(tmp_path, f"[serve]\nport = {value}") == message
    assert load(tmp_path, '[serve.static]\nplugins = ["x"]').warnings == ()


def test_names_of_bun_in_run(tmp_path: Path) -> None:
    assert load(tmp_path, "[run]\nbun = true\nnoOrphans = true").options == {"rt": True, "no-orphans": True}


def test_values_of_install(tmp_path: Path) -> None:
    for value, mode in (("true", "auto"), ("false", "disable"), ('"fallback"', "fallback")):
        assert load(tmp_path, f"[install]\nauto = {value}").options == {"install": mode}
    message = 'rtfig.toml:2: "install.auto" must be true, false, "auto", "fallback", "force" or "disable"'
    assert failure(tmp_path, "[install]\nauto = 3") == message


# A value of each kind of flag, in the file and on the command line; flags with a check of their own have their own value.
VALUES = {
    "concurrency": ('"50%"', "50%"),
    "fetch-preconnect": ('"http://localhost"', ("http://localhost",)),
    "watch-kill-signal": ('"SIGINT"', "SIGINT"),
    "inspect": ('"9230"', "9230"),
    "inspect-wait": ("true", ""),
    "inspect-brk": ("true", ""),
    "inspect-port": ('"9230"', "9230"),
    "inspect-publish-uid": ('"http"', "http"),
    "dry-run": ('"json"', "json"),
    "inspect-ui": ('"http://localhost"', "http://localhost"),
    "define": ('"A:1"', ("A:1",)),
    "loader": ('[".md:text"]', (".md:text",)),
    "ui-key": ('{ restart = "f5 ctrl+r" }', ("restart:f5 ctrl+r",)),
}


def value_of(flag: flags.Flag) -> tuple[str, object]:
    if flag.name in VALUES:
        return VALUES[flag.name]
    if flag.kind == flags.BOOLEAN:
        return "true", True
    if flag.kind == flags.NUMBER:
        return "7", 7
    word = "64" if flag.value in ("MB", "percent") else next(filter(None, flag.choices), "word")
    return f'"{word}"', (word,) if flag.repeats else word


def test_run_takes_every_flag_of_a_run_under_both_spellings(tmp_path: Path) -> None:
    rows = [flag for flag in flags.BY_NAME.values() if flag.in_config]
    assert len(rows) > 100
    for flag in rows:
        first, *others = flag.name.split("-")
        camel_case = first + "".join(other.capitalize() for other in others)
        for key in {flag.name, camel_case}:
            if flag.kind == flags.NEGATION:
                expected: dict[str, object] = {flag.means: False}
                text = "true"
            else:
                meant = flags.BY_NAME[flag.means or flag.name]
                text, value = value_of(meant)
                expected = {meant.name: value}
            loaded = load(tmp_path, f'[run]\n"{key}" = {text}')
            assert (loaded.options, loaded.warnings) == (expected, ()), key


def test_flags_of_the_command_line_alone_are_refused(tmp_path: Path) -> None:
    for name in ("eval", "print", "check", "version", "help", "cwd", "config", "interactive"):
        message = f'rtfig.toml:2: "run.{name}": --{name} is a flag of the command line only'
        assert failure(tmp_path, f"[run]\n{name} = true") == message


def test_negations(tmp_path: Path) -> None:
    assert load(tmp_path, "[run]\nno-summary = false").options == {"summary": True}
    assert load(tmp_path, "[env]\nfile = false").options == {"no-env-file": True}
    assert load(tmp_path, "env = false").options == {"no-env-file": True}
    assert load(tmp_path, "[run]\nno-env-file = true").options == {"no-env-file": True}


def test_no_file_costs_nothing_and_says_nothing(tmp_path: Path) -> None:
    assert config.load(str(tmp_path), None, find_key) == config.Config(None, {})
    script = (
        "import sys; from rt_supervisor.settings import config;"
        "config.load('/', None, lambda key: None); print('tomllib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "False\n"


def test_a_requested_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r'^cannot read config file "gone.toml": No such file or directory$'):
        config.load(str(tmp_path), "gone.toml", find_key)
    with pytest.raises(Failed, match="not a regular file"):
        config.load(str(tmp_path), ".", find_key)


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rtfig.toml")
    with pytest.raises(Failed, match="not a regular file"):
        config.load(str(tmp_path), None, find_key)


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
        ("smol = true\nrun = { silent = 1 }", 'rtfig.toml:2: "run.silent" must be true or false'),
        ('[run]\nconcurrency = "x"', 'rtfig.toml:2: Invalid value for --concurrency: "x"'),
        ("[run]\nconcurrency = 0", 'rtfig.toml:2: Invalid value for --concurrency: "0"'),
        ("[run]\nconcurrency = true", 'rtfig.toml:2: "run.concurrency" must be a string'),
        ('[loader]\n".md" = "txt"', 'rtfig.toml:2: invalid loader "txt"'),
        ("[run]\nsummary = 1", 'rtfig.toml:2: "run.summary" must be true or false'),
        ("[run]\ndry-run = 1", 'rtfig.toml:2: "run.dry-run" must be true, false or "json"'),
        ("[run]\ninspect = []", 'rtfig.toml:2: "run.inspect" must be true, false or a string'),
        ('[run]\noutput = "x"', 'rtfig.toml:2: "run.output" must be "stream", "grouped", "json" or "raw"'),
    ],
)
def test_errors_have_a_location(tmp_path: Path, text: str, message: str) -> None:
    assert failure(tmp_path, text).startswith(message)


def test_invalid_utf_8(tmp_path: Path) -> None:
    (tmp_path / "rtfig.toml").write_bytes(b"a = 1\nb = '\xff'")
    with pytest.raises(Failed, match=r"rtfig.toml:2: not UTF-8$"):
        config.load(str(tmp_path), None, find_key)


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
        config._parse(text, "/rtfig.toml", "rtfig.toml", find_key)
    except Failed as failed:
        assert failed.failure.message.startswith("rtfig.toml:")


def test_the_settings_that_init_writes_are_valid(tmp_path: Path) -> None:
    lines = starter_text().splitlines()
    settings = [line.removeprefix("# ") for line in lines if line.startswith("# ") and ("=" in line or line[2] == "[")]
    loaded = load(tmp_path, "\n".join(settings))
    assert loaded.warnings == ()
    assert len(loaded.options) == len([line for line in settings if line[0] != "["])


def test_the_keys_of_the_screen_are_checked_where_they_are_set(tmp_path: Path) -> None:
    text = '[ui]\nmode = "tui"\nscrollback = 10\n\n[ui.keys]\nrestart = "f5"\nstop = ""\n'
    assert load(tmp_path, text).options == {"ui": "tui", "ui-scrollback": 10, "ui-key": ("restart:f5", "stop:")}
    wrong = {
        'restrat = "r"': 'there is no action "restrat"; did you mean "restart"?',
        'start = "ctrl+entr"': 'there is no key "entr"; did you mean "enter"?',
        'start = "ctl+r"': 'there is no modifier "ctl"; did you mean "ctrl"?',
    }
    for line, message in wrong.items():
        with pytest.raises(Failed) as caught:
            load(tmp_path, f"{text}{line}\n")
        assert caught.value.failure.message.startswith("rtfig.toml:8: ")
        assert caught.value.failure.message.endswith(message)
    assert failure(tmp_path, '[ui]\nmode = "full"') == 'rtfig.toml:2: "ui.mode" must be "tui", "blocks" or "stream"'
    assert failure(tmp_path, "[ui]\nkeys.stop = 5") == 'rtfig.toml:1: "ui.keys" must be a table of strings'
