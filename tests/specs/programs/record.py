"""Write `expected.txt` of the cases named on the command line (all by default): the output of Node 26.

`python tests/specs/programs/record.py FAMILY/PROGRAM …`; packages are cached in the folder that `RT_TEST_PACKAGES`
names, if any. `--table` prints the rows for docs/npm-packages.md instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import js_peers
import npm_packages
import npm_programs as cases


def main(wanted: list[str]) -> None:
    chosen = [case for case in cases.all_cases() if not wanted or f"{case.family}/{case.name}" in wanted]
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        bin_folder = Path(temporary) / "bin"
        path = cases.path_without_node(bin_folder)
        os.symlink(os.path.realpath(js_peers.node()), bin_folder / "node")
        if npm := shutil.which("npm"):
            os.symlink(npm, bin_folder / "npm")
        for case in chosen:
            node_modules = base / case.family / "node_modules"
            if not node_modules.exists():
                node_modules.parent.mkdir(parents=True, exist_ok=True)
                npm_packages.install(node_modules.parent, cases.packages_of(case.family))
            folder = Path(temporary) / f"{case.family}-{case.name}"
            case.copy_to(folder, node_modules)
            environment = cases.environment(folder, f"{folder}/node_modules/.bin:{path}")
            command = ["bash", "case.sh"]
            done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
            said = cases.comparable(done.stdout + done.stderr, folder, node_modules)
            case.expected_file.write_text(said + f"[status {done.returncode}]\n")
            print(f"{case.family}/{case.name}: {len(said.splitlines())} lines, status {done.returncode}", flush=True)


def table() -> None:
    for case in cases.all_cases():
        print(case.row)


if __name__ == "__main__":
    table() if sys.argv[1:] == ["--table"] else main(sys.argv[1:])
