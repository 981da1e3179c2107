import { execa, execaSync, execaNode, execaCommand, $, ExecaError } from "execa";
const print = (...all) => console.log(JSON.stringify(all));
print((await execa("echo", ["a b"])).stdout, execaSync("echo", ["sync"]).stdout, (await execaCommand("echo one two")).stdout);
const name = "a b"; print((await $`echo ${name} ${["x", "y"]}`).stdout, (await $({ input: "from input" })`cat`).stdout, $.sync`echo sync`.stdout);
try { await execa("sh", ["-c", "echo out; echo err >&2; exit 3"]) } catch (error) { print(error instanceof ExecaError, error.exitCode, error.stdout, error.stderr, error.shortMessage, error.failed) }
try { await execa("not-there-at-all") } catch (error) { print(error.code, error.shortMessage) }
try { await execa("sleep", ["100"], { timeout: 50 }) } catch (error) { print(error.timedOut, error.signal, error.isTerminated) }
const abort = new AbortController(); const aborted = execa("sleep", ["100"], { cancelSignal: abort.signal }); abort.abort(); try { await aborted } catch (error) { print(error.isCanceled) }
print((await execa("printf", ["1\n2\n3\n"], { lines: true })).stdout);
const lines = []; for await (const line of execa("printf", ["a\nb\n"])) lines.push(line); print(lines);
print((await execa("echo", ["piped"]).pipe("tr", ["a-z", "A-Z"])).stdout, (await execa({ stdout: function* (line) { yield line.toUpperCase() } })`echo transformed`).stdout);
const all = await execa("sh", ["-c", "echo 1; echo 2 >&2"], { all: true }); print(all.all.split("\n").sort());
const child = execaNode("child.js", ["arg"], { ipc: true }); await child.sendMessage({ hello: 1 }); print(await child.getOneMessage(), (await child).stdout);
print((await execa("node", ["-e", "console.log(process.env.X)"], { env: { X: "set" } })).stdout, (await execa({ reject: false })`sh -c ${"exit 4"}`).exitCode);
const killed = execa("sleep", ["100"]); killed.kill("SIGINT"); try { await killed } catch (error) { print(error.signal, error.signalDescription) }
