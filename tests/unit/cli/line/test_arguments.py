"""argv -> Invocation: positions of flags, forms of values, and every error message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.cli.line import arguments, commands, flags
from rt_supervisor.cli.line.arguments import Invocation, parse, parse_as_node
from rt_supervisor.vocabulary.errors import Failed


def failure(*argv: str) -> str:
    with pytest.raises(Failed) as caught:
        parse(argv)
    assert caught.value.failure.status == 1
    return caught.value.failure.message


@pytest.mark.parametrize(
    ("line", "names", "script_arguments"),
    [
        ("run show", ("show",), ()),
        ("show", ("show",), ()),
        ("run show a -- b", ("show",), ("a", "--", "b")),
        ("run show -- --one -- two", ("show",), ("--one", "--", "two")),
        ("show -- x", ("show",), ("x",)),
        ("run -- show x", ("show",), ("x",)),
        ("-- show x", ("show",), ("x",)),
        ("run run now", ("run",), ("now",)),
        ("--silent run show", ("show",), ()),
        ("run --silent show --silent", ("show",), ("--silent",)),
        (
            "run show --watch --cwd /nowhere -F x -h --version -e one",
            ("show",),
            ("--watch", "--cwd", "/nowhere", "-F", "x", "-h", "--version", "-e", "one"),
        ),
        ("show --help -v --if-present --rt", ("show",), ("--help", "-v", "--if-present", "--rt")),
        ("run -", ("-",), ()),
        ("- a --b", ("-",), ("a", "--b")),
        ("run", (), ()),
        ("run --if-present", (), ()),
        ("run build", ("build",), ()),
        ("run repl", ("repl",), ()),
        ("-- run show", ("run",), ("show",)),
        ("run --parallel a b:* c", ("a", "b:*", "c"), ()),
        ("--sequential a b", ("a", "b"), ()),
        ("run --parallel -- a b", ("a", "b"), ()),
        ("run --parallel a -- b", ("a", "b"), ()),
        ("run --parallel a --foo b", ("a", "--foo", "b"), ()),
        ("--filter foo build", ("build",), ()),
        ("-F bar build x", ("build",), ("x",)),
    ],
)
def test_words_before_and_after_the_name(line: str, names: tuple[str, ...], script_arguments: tuple[str, ...]) -> None:
    invocation = parse(line.split())
    assert (invocation.command, invocation.names, invocation.arguments) == ("run", names, script_arguments)


def test_with_run_is_distinguished() -> None:
    assert parse(["--silent", "run", "x"]).with_run
    assert not parse(["--silent", "x"]).with_run
    assert parse([""]).names == ()


@pytest.mark.parametrize(
    "argv", [["run", "-F", "foo"], ["-F=foo"], ["run", "-Ffoo"], ["--filter=foo"], ["--filter", "foo"]]
)
def test_value_forms(argv: list[str]) -> None:
    assert parse([*argv, "x"]).texts("filter") == ("foo",)


@pytest.mark.parametrize(
    "argv", [["--eval", "1"], ["--eval=1"], ["-e1"], ["-e=1"], ["-e", "0", "-e", "1"], ["run", "-e", "1"]]
)
def test_eval_forms(argv: list[str]) -> None:
    invocation = parse(argv)
    assert (invocation.command, invocation.names, invocation.text("eval")) == ("run", (), "1")


@pytest.mark.parametrize(
    ("argv", "script_arguments"),
    [
        (["-e", "1", "a", "--b", "--", "c"], ("a", "--b", "--", "c")),
        (["-e", "1", "--", "--b"], ("--b",)),
        (["-p", "-0", "run", "build"], ("run", "build")),
    ],
)
def test_arguments_of_evaluated_code(argv: list[str], script_arguments: tuple[str, ...]) -> None:
    assert parse(argv).arguments == script_arguments


def test_a_value_may_look_like_a_flag() -> None:
    assert parse(["-p", "-0"]).text("print") == "-0"
    assert parse(["-pe", "3+4", "a"]).options == {"print": "3+4"}
    assert parse(["run", "--env-file", "--silent", "x"]).texts("env-file") == ("--silent",)


def test_optional_values_only_with_equals() -> None:
    bare = parse(["--inspect", "show"])
    assert (bare.names, bare.is_set("inspect"), bare.text("inspect")) == (("show",), True, "")
    assert parse(["--inspect-brk=localhost:9001/x", "show"]).text("inspect-brk") == "localhost:9001/x"
    assert not parse(["show"]).is_set("dry-run")
    assert parse(["run", "--dry-run", "show"]).is_set("dry-run")
    assert parse(["run", "--dry-run=json", "show"]).text("dry-run") == "json"


def test_letters_in_a_row() -> None:
    invocation = parse(["run", "-bi", "show", "a"])
    assert invocation.is_set("rt")
    assert invocation.text("install") == "fallback"
    assert invocation.arguments == ("a",)
    assert parse(["-bFfoo", "show"]).texts("filter") == ("foo",)


def test_underscores_stand_for_hyphens() -> None:
    """V8 spells its flags this way, and Node accepts it for all flags."""
    invocation = parse(["--expose_gc", "--max_http_header_size=20", "a.js", "--its_own"])
    assert invocation.is_set("expose-gc")
    assert invocation.options["max-http-header-size"] == 20
    assert invocation.arguments == ("--its_own",)
    assert "Invalid Argument '--no_such_flag'" in failure("--no_such_flag", "a.js")


def test_aliases() -> None:
    invocation = parse(["-r", "a", "--preload", "b", "--require=c", "--import", "d", "--bun", "x"])
    assert invocation.texts("preload") == ("a", "b", "c", "d")
    assert invocation.is_set("rt")


def test_the_last_of_summary_and_its_negation_counts() -> None:
    assert parse(["run", "--summary", "x"]).options["summary"] is True
    assert parse(["run", "--summary", "--no-summary", "x"]).options["summary"] is False
    assert not parse(["run", "--no-summary", "x"]).is_set("summary")
    assert "summary" not in parse(["run", "x"]).options


def test_defaults_and_values() -> None:
    invocation = parse(["run", "x"])
    assert invocation.number("elide-lines") == 10
    assert invocation.number("grace-period") == 5000
    assert invocation.text("shell") is None
    assert invocation.texts("filter") == ()
    assert parse(["run", "--elide-lines", "0", "x"]).number("elide-lines") == 0


def test_runtime_arguments_are_the_words_that_were_flags() -> None:
    assert parse(["a.js", "--x"]).runtime_arguments == ()
    assert parse(["--smol", "a.js", "y"]).runtime_arguments == ("--smol",)
    assert parse(["--smol", "run", "--title", "t", "-r", "./p", "a.js"]).runtime_arguments == (
        "--smol",
        "--title",
        "t",
        "-r",
        "./p",
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-e", "The argument '-e' requires a value but none was supplied."),
        ("-p", "The argument '-p' requires a value but none was supplied."),
        ("run --filter", "The argument '--filter' requires a value but none was supplied."),
        ("run -bF", "The argument '-F' requires a value but none was supplied."),
        ("run --silent=1 x", "The argument '--silent' does not take a value."),
        ("run -b=1 x", "The argument '-b' does not take a value."),
        ("run --elide-lines=many x", 'Invalid elide-lines: "many"'),
        ("run --elide-lines=-1 x", 'Invalid elide-lines: "-1"'),
        ("run --elide-lines ١ x", 'Invalid elide-lines: "١"'),
        ("--console-depth=abc x", 'Invalid value for --console-depth: "abc". Must be a positive integer'),
        ("--max-http-header-size abc x", 'Invalid value for --max-http-header-size: "abc". Must be a positive integer'),
        ("--grace-period 1.5 x", 'Invalid value for --grace-period: "1.5". Must be a positive integer'),
        ("--port abc x", 'The value of "--port" is out of range. It must be >= 0 and <= 65535. Received abc'),
        ("--port=65536 x", 'The value of "--port" is out of range. It must be >= 0 and <= 65535. Received 65536'),
        ("run --shell=zsh x", "Expected --shell to be one of 'rt' or 'system'. Received: \"zsh\""),
        (
            "--unhandled-rejections=bogus x",
            'Invalid value for --unhandled-rejections: "bogus". '
            'Must be one of "strict", "throw", "warn", "none", "warn-with-error-code"',
        ),
        ("--dns-result-order=sideways x", "Invalid DNS result order."),
        ("--fetch-preconnect=bogus x", 'preconnect URL must be HTTP or HTTPS: "bogus"'),
        ("--fetch-preconnect=https:///x y", 'preconnect URL must have a hostname: "https:///x"'),
        ("--fetch-preconnect=http://h:0 x", 'preconnect URL must have a valid port: "http://h:0"'),
        ("--fetch-preconnect=http://[::1]:70000/ x", 'preconnect URL must have a valid port: "http://[::1]:70000/"'),
        ("--user-agent=a\0b x", "Invalid value for --user-agent: must not contain a newline or NUL byte"),
        ("--loader foo:ts x", "file extension must start with a '.' (while mapping loader \"foo:ts\")"),
        (
            "--loader .foo x",
            '--loader ".foo" is missing a ":" separator. Expected --loader .ext:loader, for example --loader .md:text',
        ),
        (
            "--define A x",
            '--define "A" is missing a ":" or "=" separator. '
            "Expected --define key=value, for example --define process.env.NODE_ENV='\"production\"'",
        ),
        ("--jsx-runtime=x y", 'Invalid --jsx-runtime: "x", expected "automatic" or "classic"'),
        (
            "--install=bogus x",
            'Invalid value for --install: "bogus". Must be either "auto", "fallback", "force", or "disable"',
        ),
        (
            "--watch-kill-signal=FOO x",
            'Invalid value for --watch-kill-signal: "FOO". Must be the name of a signal, such as SIGTERM',
        ),
        ("--concurrency=0 x", 'Invalid value for --concurrency: "0". Must be a positive integer or a percentage'),
        ("--output=x y", 'Invalid value for --output: "x". Must be one of "stream", "grouped", "json", "raw"'),
        ("--dry-run=x y", 'Invalid value for --dry-run: "x". Must be "json" or nothing'),
    ],
)
def test_bad_values(line: str, message: str) -> None:
    assert failure(*line.split()) == message


def test_an_unknown_loader_lists_the_known_ones() -> None:
    first, *others = failure("--loader", ".x:bad", "y").split("\n")
    assert first == 'invalid loader "bad", expected one of:'
    assert "-  tsx" in others


@pytest.mark.parametrize(
    "flags",
    ["--enable-source-maps", "--max-semi-space-size=100", "--max_semi_space_size=100", "--no-opt", "--insecure-http-parser",
     "--harmony-temporal", "--no-experimental-repl-await", "--diagnostic-dir x --stack-size=9"],
)  # fmt: skip
def test_flags_of_node_without_effect_are_accepted(flags: str) -> None:
    parsed = parse([*flags.split(), "a.js", "b"])
    assert (parsed.names, parsed.arguments, parsed.runtime_arguments) == (("a.js",), ("b",), tuple(flags.split()))


@pytest.mark.parametrize("flag", ["--trace-tls"])
def test_unsupported_flags_of_node_are_rejected(flag: str) -> None:
    assert failure(flag, "a.js").startswith(f"Invalid Argument '{flag.partition('=')[0]}'")


def test_unknown_flags_suggest_the_nearest_one() -> None:
    assert failure("run", "--watchh", "x").startswith("Invalid Argument '--watchh'. Did you mean '--watch'?\n")
    assert failure("run", "-z", "x").startswith("Invalid Argument '-z'\n")
    assert failure("--paralel=1", "x").startswith("Invalid Argument '--paralel'. Did you mean '--parallel'?\n")
    assert "go after its name" in failure("--qqqqqq")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", "help"),
        ("--silent", "help"),
        ("--help", "help"),
        ("-h -e 1", "help"),
        ("run --help", "help"),
        ("help", "help"),
        ("--version", "version"),
        ("-v f.js", "version"),
        ("run -v", "version"),
        ("-v -e 1", "version"),
        ("--revision", "version"),
        ("build", "build"),
        ("--silent install x", "install"),
        ("graph --format dot", "graph"),
        ("completions bash", "completions"),
        ("x -y tool --z", "x"),
        ("graph --help", "help"),
    ],
)
def test_commands(line: str, command: str) -> None:
    assert parse(line.split()).command == command


def test_flags_and_words_of_other_commands() -> None:
    graph = parse(["graph", "--format=dot", "--filter", "a"])
    assert (graph.text("format"), graph.texts("filter"), graph.arguments) == ("dot", ("a",), ())
    assert parse(["completions", "zsh"]).arguments == ("zsh",)
    assert parse(["x", "-y", "tool", "--", "a"]).arguments == ("-y", "tool", "--", "a")
    assert parse(["install", "--nonsense"]).arguments == ("--nonsense",)
    assert parse(["graph", "-h"]).arguments == ("graph",)


def test_called_as_node() -> None:
    assert parse_as_node(["show.js", "--x"]).names == ("./show.js",)
    assert parse_as_node(["build"]).names == ("./build",)
    assert parse_as_node(["/a/b.js"]).names == ("/a/b.js",)
    assert parse_as_node(["--stack-size=4096", "--smol", "a.js"]).options == {"smol": True}
    assert parse_as_node(["-c", "a.js"]).options == {"check": True}
    assert parse_as_node([]).names == ("-",)
    assert parse_as_node(["-e", "1", "a"]).arguments == ("a",)
    assert parse_as_node(["-v"]).command == "version"


@pytest.mark.parametrize("flag", ["--max-old-space-size=100", "--max_old_space_size=100"])
def test_a_heap_size(flag: str) -> None:
    parsed = parse([flag, "a.js"])
    assert (parsed.names, parsed.text("max-old-space-size")) == (("a.js",), "100")


@pytest.mark.parametrize("flag", ["--max-old-space-size", "--max-old-space-size=", "--max-old-space-size=1g"])
def test_a_heap_size_is_a_number(flag: str) -> None:
    assert failure(flag, "a.js").startswith("Invalid value for --max-old-space-size: ")


def test_preloads_run_in_the_order_of_their_spellings() -> None:
    words = ["--import", "i1", "--require=r1", "--preload", "p1", "--import=i2", "-r", "p2", "--require", "r2", "a.js"]
    assert parse(words).texts("preload") == ("p1", "p2", "r1", "r2", "i1", "i2")


def test_c_adds_conditions() -> None:
    for read in (arguments.parse, parse_as_node):
        assert read(["-C", "a,b", "-C", "c", "x.js"]).options == {"conditions": ("a,b", "c")}


def test_i_starts_a_repl_if_no_file_is_named() -> None:
    for read in (arguments.parse, parse_as_node):
        assert read(["-i"]).options == {"interactive": True}
        assert (read(["-i"]).command, read(["-i"]).names) == ("run", ())
    assert parse_as_node(["-i", "-e", "1", "a"]).options == {"interactive": True, "eval": "1"}
    assert arguments.parse(["-i", "-e", "1", "a"]).options == {"install": "fallback", "eval": "1"}
    assert arguments.parse(["-i", "a.js"]).options == {"install": "fallback"}
    assert arguments.parse(["repl"]).command == "repl"


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("--watch a.ts --watch x", "a.ts --watch x"),
        ("--watch-kill-signal SIGINT run --watch --silent build --watch", "run --silent build --watch"),
        ("--watch-kill-signal=SIGINT --no-clear-screen -bi a.ts", "-bi a.ts"),
        ("--watch -e code --watch", "-e code"),
        ("--watch -- --watch", "-- --watch"),
    ],
)
def test_flags_that_are_removed(line: str, left: str) -> None:
    names = ("watch", "watch-kill-signal", "no-clear-screen")
    assert arguments.without(line.split(), names) == tuple(left.split())


WORDS = st.one_of(
    st.sampled_from([f"--{name}" for name in flags.BY_NAME]),
    st.sampled_from([f"-{letter}" for letter in flags.BY_SHORT]),
    st.sampled_from(["run", "--", "-", "", "x", *commands.NAMES, *commands.ABSENT]),
    st.text(max_size=5),
)


@given(st.lists(WORDS, max_size=8))
def test_any_command_line_parses_or_fails_cleanly(argv: list[str]) -> None:
    try:
        invocation = parse(argv)
    except Failed as failed:
        assert failed.failure.message
        return
    assert isinstance(invocation, Invocation)
    if len(invocation.names) == 1 and invocation.command == "run":
        tail = list(invocation.arguments)
        assert argv[len(argv) - len(tail) :] == tail, "what follows the name reaches the script untouched"


def test_flags_of_tests() -> None:
    invocation = parse(
        ["--test", "--test-name-pattern", "a b", "--test-name-pattern=c", "--test-timeout=5", "x.js", "y"]
    )
    assert invocation.tests == {"test": True, "test-name-pattern": ["a b", "c"], "test-timeout": 5}
    assert (invocation.names, invocation.arguments) == ((), ("x.js", "y"))
    assert parse_as_node(["--test"]).arguments == ()
    assert parse(["--test-only", "x.js"]).tests == {"test-only": True}


@pytest.mark.parametrize(
    ("line", "names", "patterns"),
    [
        ("run --workspace app build", ("build",), ("app",)),
        ("run --workspace=packages/app build", ("build",), ("./packages/app",)),
        ("run --workspace=@scope/app build", ("build",), ("@scope/app",)),
        ("run --workspace-root build", ("build",), ("//",)),
        ("run --recursive build", ("build",), ("*",)),
        ("run -w app build", ("build",), ("app",)),
        ("run -w build", ("build",), ("//",)),
        ("-w run build", ("build",), ("//",)),
        ("run -r build", ("build",), ("*",)),
        ("-r run build", ("build",), ("*",)),
        ("exec -r -- ls -l", ("ls",), ("*",)),
        ("exec -w app -- ls -l", ("ls",), ("app",)),
        ("exec -w ls", ("ls",), ("//",)),
        ("exec --filter a... ls -l", ("ls",), ("a...",)),
    ],
)
def test_flags_of_npm_and_pnpm_select_packages(line: str, names: tuple[str, ...], patterns: tuple[str, ...]) -> None:
    parsed = parse(line.split())
    assert (parsed.names, parsed.texts("filter"), parsed.texts("preload")) == (names, patterns, ())


@pytest.mark.parametrize(
    "line", ["-r ./setup.ts a.ts", "run -r ./setup.ts a.ts", "run -r setup.ts build", "run -r setup build"]
)
def test_r_is_preload_if_something_to_run_follows(line: str) -> None:
    parsed = parse(line.split())
    assert len(parsed.texts("preload")) == 1
    assert parsed.texts("filter") == ()


def test_exec_takes_a_command_with_its_flags() -> None:
    parsed = parse(["exec", "--parallel", "--filter=*", "tsc", "--watch", "-p", "."])
    assert (parsed.command, parsed.names, parsed.arguments) == ("exec", ("tsc",), ("--watch", "-p", "."))
    assert parse(["exec", "--help"]).command == "help"


def test_a_flag_that_stands_for_a_value_takes_none() -> None:
    assert failure("--workspace-root=x", "a") == "The argument '--workspace-root' does not take a value."
