"""Assignments in the arguments of export, readonly, local, declare and typeset, as bash expands them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from in_shell import run

TEXTS = [
    'X="one two  *"; export Y=$X; echo "[$Y]"; sh -c \'echo "[$Y]"\'',
    'X="a b"; f() { local A=$X B; local -r C=$X; echo "[$A][$B][$C]"; local D+=x; echo "$D"; }; f',
    'X="a b"; declare D=$X; typeset T=$X; readonly R=$X; echo "[$D][$T][$R]"',
    'export A=$(echo "a   b *") B=`echo x  y` C=$(printf "a\\nb\\n"); echo "[$A][$B][$C]"',
    'export A={1,2}; echo "[$A]"; export Q=x{a,b}y; echo "$Q"',
    'export A=~:~ B=~/x C="~"; echo "[$A][$B][$C]"',
    'touch f1; export P=f* Q=[f]?; echo "[$P][$Q]"',
    'X="a b"; P=pre; export P+=$X; echo "[$P]"',
    'X="a b"; export C="q $X" E=$X F=$X/"$X"; echo "[$C][$E][$F]"',
    'X="a b"; N=NAME; export $N=$X; echo "[$NAME]"; export "Q=$X"; echo "[$Q]"',
    'IFS=:; V=a:b:c; export I=$V; echo "[$I]"; echo $V',
    'set -- "1 2" 3; export L=$* M=$@ O="$@"; echo "[$L][$M][$O]"',
    'X="a b"; declare -x K=$X; sh -c \'echo "[$K]"\'; declare -u U=$X; declare -i I=3+4; echo "$U $I"',
    'X="a b"; export S=$((1 + 2)) T=${X#a} Z=${NOPE:-"p  q" r}; echo "[$S][$T][$Z]"',
    'X="a b"; echo S=$X; command export K=$X; echo "[$K]"',
    'X="a b"; alias q=$X; alias q',
    'export =x 2>/dev/null; echo $?; export A; export B=; echo "[$A][$B]"',
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("text", TEXTS)
def test_assignments_stay_one_word(tmp_path: Path, text: str) -> None:
    folders = [tmp_path / name for name in ("bash", "rt")]
    for folder in folders:
        folder.mkdir()
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home/someone"}
    bash = subprocess.run(["bash", "-c", text], cwd=folders[0], env=environment, capture_output=True, text=True)
    assert run(text, folders[1]).out == bash.stdout
