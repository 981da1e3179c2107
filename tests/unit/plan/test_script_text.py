"""Rewriting and quoting, word for word as the peer does it; quoting judged by a real shell."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rt_supervisor.plan import script_text

# command, what runs instead (None: the same)
REWRITES = [
    ("npm run t", "rt run t"),
    ("npm run t && npm run t", "rt run t && rt run t"),
    ("A=1 npm run t", "A=1 rt run t"),
    ("npm run  t", "rt run  t"),
    ("npm run t -- --flag", "rt run t -- --flag"),
    ("npm run -s t", "rt run --silent t"),
    ("npm run build --workspaces --if-present", "rt run --workspaces --if-present build"),
    ("npm run build -ws; npm run t", "rt run --workspaces build; rt run t"),
    ("npm run build -w a && echo x", "rt run --filter=a build && echo x"),
    ("npm run build --workspace=a -w b", "rt run --filter=a --filter=b build"),
    ("npm run build --workspace packages/a", "rt run --filter=./packages/a build"),
    ("npm run -w @s/a build -- --flag -w x", "rt run --filter=@s/a build -- --flag -w x"),
    ("npm run t x --if-present", "rt run --if-present t x"),
    ("npm run t -- -ws", "rt run t -- -ws"),
    ("npm --prefix x run t", None),
    ("pnpm run -F a build", "rt run --filter=a build"),
    ("pnpm run -r build", "rt run --workspaces build"),
    ("npm run build -ws --include-workspace-root; npm run t", "npm run build -ws --include-workspace-root; rt run t"),
    ("npm install -w a", None),
    ("pnpm run --recursive build", "rt run --workspaces build"),
    ("pnpm run --filter=...a build", "rt run --filter=...a build"),
    ("pnpm run --filter a build", "rt run --filter=a build"),
    ("npm run t -r", "rt run t -r"),
    ('npm run "$X" -ws', 'rt run "$X" -ws'),
    ("{ npm run t; }", "{ rt run t; }"),
    ("if true; then npm run t; fi", "if true; then rt run t; fi"),
    ('echo "npm run t"', 'echo "rt run t"'),
    ("sh -c 'npm run t'", "sh -c 'rt run t'"),
    ("npm run t\nnpm run t\n", "rt run t\nnpm run t\n"),
    ("yarn run t", "rt run t"),
    ("yarn run t x", "rt run t x"),
    ("yarn t x", "rt run t x"),
    ("yarn build:x y", "rt run build:x y"),
    ("yarn test x", "rt run test x"),
    ("yarn t&& yarn t x", "rt run t&& rt run t x"),
    ("cmd || yarn t x", "cmd || rt run t x"),
    ("yarn t ; yarn run", "rt run t ; yarn run"),
    ("pnpm run t", "rt run t"),
    ("pnpx t", "rt x t"),
    ("pnpm dlx t", "rt x t"),
    ("npx t", "rt x t"),
    ("npx -y t", "rt x -y t"),
    ("npx ", "rt x "),
    *(
        (command, None)
        for command in (
            "echo a;npm run t",
            "(npm run t)",
            "npm  run t",
            "npm\trun t",
            "npm run-script t",
            "npm test",
            "npm run",
            "npx",
            "npm exec t",
            "npm i x",
            "npm --prefix x run t",
            "npm -s run t",
            "xnpm run t",
            "x-npm run t",
            "a/npm run t",
            "echo a|npm run t",
            "echo $(npm run t x)",
            "`npm run t`",
            "\nnpm run t",
            "\tnpm run t",
            "echo 1\nnpm run t x",
            "yarn",
            "yarn t",
            "yarn install x",
            "yarn add x",
            "yarn -s t",
            "yarn --silent run t",
            "yarn npm run t",
            "yarn workspace a t",
            "yarn workspaces run t",
            "yarn exec x y",
            "yarn node x y",
            "pnpm t x",
            "pnpm -r run t",
            "pnpm exec t",
            "node t",
            "",
        )
    ),
]


@pytest.mark.parametrize(("command", "expected"), REWRITES)
def test_rewriting(command: str, expected: str | None) -> None:
    assert script_text.rewritten(command) == (command if expected is None else expected)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("plain", "plain"),
        ("-x", "-x"),
        ("/nowhere", "/nowhere"),
        ("ünï", "ünï"),
        ("!", "!"),
        ("%s", "%s"),
        ("", '""'),
        ("a b", '"a b"'),
        ("a1", '"a1"'),
        ("--flag=x", '"--flag=x"'),
        ("it's", '"it\'s"'),
        ('"q"', '"\\"q\\""'),
        ("$HOME", '"\\$HOME"'),
        ("`id`", '"\\`id\\`"'),
        ("a\\b", '"a\\\\b"'),
        ("*", '"*"'),
        ("a\nb", '"a\nb"'),
    ],
)
def test_quoting(argument: str, expected: str) -> None:
    assert script_text.quoted(argument) == expected


@pytest.mark.parametrize("character", list("0123456789,=~#?*[]{}()<>|&;'\"\\$` \t"))
def test_each_special_character_is_quoted(character: str) -> None:
    assert script_text.quoted(f"a{character}").startswith('"')


def test_arguments_are_appended() -> None:
    assert script_text.with_arguments("echo", []) == "echo"
    assert script_text.with_arguments("echo 1\necho 2", ["end", "x y"]) == 'echo 1\necho 2 end "x y"'


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8), max_size=5))
def test_a_shell_gives_the_arguments_back(arguments: list[str]) -> None:
    command = script_text.with_arguments("printf '%s\\0'", arguments) if arguments else "true"
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert result.stdout == "".join(f"{argument}\0" for argument in arguments).encode()
