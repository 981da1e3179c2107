"""What a debugger costs: running without a client, steps, a large source, many console messages, in both dialects.

    python benchmarks/debugger.py [--runs 7] [--rt PATH] [--before PATH]

`--before` is another rt: both run `hello.ts` and `cpu.ts` without the debugger, in turns. The other figures are of --rt.

Figures of two cores under a load of 20: a step 1.3 to 3.3 ms (median), a source of 5.3 MB opens in 0.4 to 0.5 s, 10,000
console messages arrive in 1.6 s (Chrome DevTools Protocol) and 4.2 s (JavaScriptCore); the CPU program took 405 ms at best,
and 373 ms with --inspect and no client.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(PROJECT, "tests"))

from front_end import FrontEnd, url_of  # noqa: E402 - found through the line above

HELLO = "const text: string = 'hello';\nconsole.log(text);\n"
CPU = """\
function work(limit: number): number {
  const sieve = new Uint8Array(limit);
  let count = 0;
  for (let n = 2; n < limit; n++) {
    if (sieve[n]) continue;
    count++;
    for (let m = n * 2; m < limit; m += n) sieve[m] = 1;
  }
  return count;
}
let total = 0;
const began = performance.now();
for (let round = 0; round < 12; round++) total += work(2_000_000);
console.log(performance.now() - began, total);
"""
STEPS = "let n = 0;\ndebugger;\n" + "n += 1;\n" * 400
LARGE = "const values = [\n" + "  'a line of a large source text',\n" * 150_000 + "];\ndebugger;\n"
MESSAGES = (
    "debugger;\nfor (let n = 0; n < 10_000; n++) console.log('message', n, { n });\nsetInterval(() => {}, 1000);\n"
)


def seconds(command: list[str], folder: str) -> float:
    """Return the time of a program: the one that it prints in ms, otherwise that of the process."""
    began = time.perf_counter()
    ran = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    took = time.perf_counter() - began
    first = ran.stdout.split()[0]
    return float(first) / 1e3 if first.replace(".", "").isdigit() else took


def in_turns(commands: dict[str, list[str]], folder: str, runs: int) -> dict[str, float]:
    """Run the commands in turns; return the median seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            took = seconds(command, folder)
            if run:  # the first one fills caches
                times[name].append(took)
    return {name: statistics.median(each) for name, each in times.items()}


class Session:
    """A program that is paused at its `debugger` statement, and its client."""

    def __init__(self, rt: str, folder: str, file: str, *, is_jsc: bool) -> None:
        command = [rt, "--inspect-wait=0", file]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.front = FrontEnd(url_of(self.process))
        for domain in ("Inspector", "Console") if is_jsc else ("Runtime",):
            self.front.do(f"{domain}.enable")
        self.front.do("Debugger.enable")
        if is_jsc:
            self.front.do("Debugger.setPauseOnDebuggerStatements", enabled=True)
        self.front.do("Inspector.initialized" if is_jsc else "Runtime.runIfWaitingForDebugger")
        self.paused = self.front.await_event("Debugger.paused")

    def end(self) -> None:
        self.front.socket.close()
        self.process.kill()
        self.process.communicate()


def measure_dialect(rt: str, folder: str, *, is_jsc: bool) -> None:
    name = "jsc" if is_jsc else "cdp"
    session = Session(rt, folder, "steps.ts", is_jsc=is_jsc)
    times = []
    for _ in range(200):
        began = time.perf_counter()
        session.front.do("Debugger.stepOver")
        session.front.await_event("Debugger.paused")
        times.append(time.perf_counter() - began)
    session.end()
    print(f"{name}: a step {statistics.median(times) * 1e3:.2f} ms, at most {max(times) * 1e3:.2f} ms")
    session = Session(rt, folder, "large.cjs", is_jsc=is_jsc)
    script = session.paused["callFrames"][0]["location"]["scriptId"]
    began = time.perf_counter()
    text = session.front.do("Debugger.getScriptSource", scriptId=script)["scriptSource"]
    took = time.perf_counter() - began
    session.end()
    print(f"{name}: a source of {len(text) / 1e6:.1f} MB opens in {took * 1e3:.0f} ms")
    session = Session(rt, folder, "messages.ts", is_jsc=is_jsc)
    session.front.do("Debugger.resume")
    began = time.perf_counter()
    event = "Console.messageAdded" if is_jsc else "Runtime.consoleAPICalled"
    for _ in range(10_000):
        session.front.await_event(event)
    took = time.perf_counter() - began
    session.end()
    print(f"{name}: 10,000 console messages arrive in {took:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--rt", default=os.path.join(PROJECT, ".venv/bin/rt"))
    parser.add_argument("--before")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = {"hello.ts": HELLO, "cpu.ts": CPU, "steps.ts": STEPS, "large.cjs": LARGE, "messages.ts": MESSAGES}
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        if given.before:
            for name in ("hello", "cpu"):
                commands = {"before": [given.before, f"{name}.ts"], "now": [given.rt, f"{name}.ts"]}
                found = in_turns(commands, folder, given.runs * (3 if name == "hello" else 1))
                print(f"{name}: {found['before'] * 1e3:.1f} ms before, {found['now'] * 1e3:.1f} ms now")
        commands = {"without": [given.rt, "cpu.ts"], "with": [given.rt, "--inspect=0", "cpu.ts"]}
        found = in_turns(commands, folder, given.runs)
        ratio = found["with"] / found["without"]
        print(
            f"cpu: {found['without'] * 1e3:.0f} ms, {found['with'] * 1e3:.0f} ms with --inspect and no client: {ratio:.3f}"
        )
        for is_jsc in (False, True):
            measure_dialect(given.rt, folder, is_jsc=is_jsc)


if __name__ == "__main__":
    main()
