"""The cost of native addons: a call of an empty function, one with numbers, a million objects wrapped and collected.

    python benchmarks/addons.py [--runs 5] HEADERS

HEADERS is the folder with node_api.h (`include` of npm's node-api-headers). Compares with Node 26 if it is installed.
Prints medians in nanoseconds per call, and the process's memory in megabytes after each fifth of the wraps.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PEERS = Path(os.environ.get("RT_PEERS") or Path.home() / ".cache" / "rt-peers" / "bin")

SOURCE = r"""
#include <node_api.h>
#include <stdlib.h>

static napi_value nothing(napi_env env, napi_callback_info info) { return NULL; }

static napi_value add(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value values[2], sum;
  double one, other;
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  napi_get_value_double(env, values[0], &one);
  napi_get_value_double(env, values[1], &other);
  napi_create_double(env, one + other, &sum);
  return sum;
}

static void let_go(napi_env env, void* data, void* hint) { free(data); }

static napi_value wrap(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value value;
  napi_get_cb_info(env, info, &count, &value, NULL, NULL);
  napi_wrap(env, value, malloc(64), let_go, NULL, NULL);
  return value;
}

NAPI_MODULE_INIT() {
  napi_property_descriptor all[] = {
      {"nothing", NULL, nothing}, {"add", NULL, add}, {"wrap", NULL, wrap},
  };
  napi_define_properties(env, exports, 3, all);
  return exports;
}
"""

PROGRAM = """
const { nothing, add, wrap } = require('./addon.node');
function timed(run, count) {
  const began = process.hrtime.bigint();
  for (let index = 0; index < count; index++) run(index, 1);
  return Number(process.hrtime.bigint() - began) / count;
}
async function main() {
  timed(nothing, 1e6);
  timed(add, 1e6);
  console.log('nothing', timed(nothing, 5e6));
  console.log('add', timed(add, 5e6));
  const memory = [];
  for (let round = 0; round < 20; round++) {
    for (let index = 0; index < 50000; index++) wrap({});
    await new Promise((resolve) => { setImmediate(resolve); });
    if (round % 4 === 3) memory.push(Math.round(process.memoryUsage.rss() / 1e6));
  }
  console.log('memory', memory.join());
}
main();
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("headers")
    options = parser.parse_args()
    path = os.pathsep.join([os.environ.get("PATH", ""), str(PEERS)])
    programs = {"rt": str(Path(sys.executable).with_name("rt")), "node26": shutil.which("node26", path=path)}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "addon.c").write_text(SOURCE)
        Path(folder, "a.cjs").write_text(PROGRAM)
        compiler = ["cc", "-O2", "-shared", "-fPIC", f"-I{options.headers}", "-o", "addon.node", "addon.c"]
        subprocess.run(compiler, cwd=folder, check=True)
        for name, program in programs.items():
            if program is not None:
                show(name, [measured(program, folder) for _ in range(options.runs)])


def measured(program: str, folder: str) -> dict[str, str]:
    done = subprocess.run([program, "a.cjs"], cwd=folder, capture_output=True, text=True, check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def show(name: str, runs: list[dict[str, str]]) -> None:
    for part in ("nothing", "add"):
        print(f"{name:8} {part:10} {statistics.median(float(run[part]) for run in runs):8.1f} ns")
    print(f"{name:8} {'wraps':10} {runs[-1]['memory']} MB")


if __name__ == "__main__":
    main()
