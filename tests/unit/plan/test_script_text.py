"""Rewriting, at the positions where Bun does it and a shell executes a command; quoting, checked against a real shell."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rt_supervisor.plan import script_text

# command, and its replacement (None: unchanged)
REWRITES = [
    ("npm run t", "rt run t"),
    ("npm run t && npm run t", "rt run t && rt run t"),
    ("A=1 npm run t", "A=1 rt run t"),
    ("npm run  t", "rt run  t"),
    ("npm run t -- --flag", "rt run t -- --flag"),
    ("npm run -s t", "rt run --silent t"),
    ("npm run build --workspaces --if-present", "rt run --workspaces --if-present --concurrency=1 --output=raw build"),
    ("npm run build -ws; npm run t", "rt run --workspaces --concurrency=1 --output=raw build; rt run t"),
    ("npm run build -w a && echo x", "rt run --filter=a --concurrency=1 --output=raw build && echo x"),
    ("npm run build --workspace=a -w b", "rt run --filter=a --filter=b --concurrency=1 --output=raw build"),
    ("npm run build --workspace packages/a", "rt run --filter=./packages/a --concurrency=1 --output=raw build"),
    ("npm run -w @s/a build -- --flag -w x", "rt run --filter=@s/a --concurrency=1 --output=raw build -- --flag -w x"),
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
    ('echo "npm run t"', None),
    ('echo "To start: npm run dev"', None),
    ("echo npm run t", None),
    ("echo To start: npm run t # npm run t", None),
    ('git commit -m "npm run x"', None),
    ("git commit -m 'npm run x' && npm run y", "git commit -m 'npm run x' && rt run y"),
    ("node tool.js npm run t", None),
    ("echo a\\ npm run t", None),
    ("! npm run t", "! rt run t"),
    ("time npm run t", "time rt run t"),
    ("while npm run t; do npx x; done", "while rt run t; do rt x x; done"),
    ("cross-env A=1 npm run t", "cross-env A=1 rt run t"),
    ("cross-env-shell 'A=1 npm run t'", "cross-env-shell 'A=1 rt run t'"),
    ("env -u A npm run t", "env -u A rt run t"),
    ("timeout 10 npx t x", "timeout 10 rt x t x"),
    ('concurrently -n a,b "npm run a" "npm run b x"', 'concurrently -n a,b "rt run a" "rt run b x"'),
    ('concurrently "echo npm run a"', None),
    ("bash -c \"echo 'npm run t'; npm run u\"", "bash -c \"echo 'npm run t'; rt run u\""),
    ("npm run t --prefix dir", "rt run --cwd=dir t"),
    ("npm run --prefix=dir t | cat", "rt run --cwd=dir t | cat"),
    ("npm run -C dir t -- -C x", "rt run --cwd=dir t -- -C x"),
    ("pnpm run -C dir t", "rt run --cwd=dir t"),
    ("pnpm run --dir dir t", "rt run --cwd=dir t"),
    ("npm run build --ws --if-present", "rt run --workspaces --if-present --concurrency=1 --output=raw build"),
    ("pnpm run /^build:/", "rt run /^build:/"),
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
    assert script_text.rewrite(command) == (command if expected is None else expected)


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
    assert script_text.quote(argument) == expected


@pytest.mark.parametrize("character", list("0123456789,=~#?*[]{}()<>|&;'\"\\$` \t"))
def test_each_special_character_is_quoted(character: str) -> None:
    assert script_text.quote(f"a{character}").startswith('"')


def test_arguments_are_appended() -> None:
    assert script_text.append_arguments("echo", []) == "echo"
    assert script_text.append_arguments("echo 1\necho 2", ["end", "x y"]) == 'echo 1\necho 2 end "x y"'


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8), max_size=5))
def test_a_shell_restores_the_arguments(arguments: list[str]) -> None:
    command = script_text.append_arguments("printf '%s\\0'", arguments) if arguments else "true"
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert result.stdout == "".join(f"{argument}\0" for argument in arguments).encode()
