"""TOML documents, and the limit on dotted keys."""

from __future__ import annotations

import tomllib

import pytest
from growth import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.vocabulary.toml import TomlProblem, read_toml

DOTTED = ".".join(["a"] * 201)


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTTED} = 1",
        f"x = 1\n[{DOTTED}]",
        f"x = {{ {DOTTED} = 1 }}",
        " . ".join(['"a"', "'b'"] * 101) + " = 1",
        ".".join(["a"] * 200_000) + " = 1",
    ],
)
def test_a_key_of_many_parts_is_refused(text: str) -> None:
    with pytest.raises(TomlProblem, match=r"^a key has more than 200 parts$"):
        read_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{DOTTED}"',
        f"x = '{DOTTED}'",
        f'x = """\n{DOTTED} \\""" {DOTTED}"""""',
        f"x = '''{DOTTED} ''{DOTTED}'''''",
        f"# {DOTTED}\nx = 1",
        "x = [\n" + "1.5,\n" * 300 + "]",
        "\n".join(f"a.b{n}.c = {n}" for n in range(300)),
        f"{DOTTED[:-2]} = 1",
    ],
)
def test_dots_elsewhere_do_not_count(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


def test_places() -> None:
    for text, place in (("a = 1\nb = ", (2, 5)), ("a = 1\n  b = x", (2, 7)), ("a = [", (1, 6))):
        with pytest.raises(TomlProblem) as problem:
            read_toml(text)
        assert (problem.value.line, problem.value.column) == place, text
    with pytest.raises(TomlProblem, match="nested too deeply"):
        read_toml("a = " + "[" * 100_000)


@given(st.text(st.sampled_from("ab.=\"'\\\n[]{}#, 1"), max_size=60))
def test_any_text_is_parsed_as_by_the_standard_library(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(TomlProblem):
            read_toml(text)
    else:
        assert read_toml(text) == expected


@pytest.mark.parametrize("piece", ["a.", '"', '"""', "'''", "'", "a.b=1\n", "\\", "#", " . ", '"\\"', "[a.b]\n", "x={"])
def test_reading_takes_linear_time(piece: str) -> None:
    def read(size: int) -> None:
        try:
            read_toml(piece * (size // len(piece)))
        except TomlProblem:
            return

    assert_linear(read, 10_000)
