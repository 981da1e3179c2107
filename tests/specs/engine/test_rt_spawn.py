"""RT.spawn and RT.spawnSync as in Bun: the forms of each argument, the results, and the errors."""

from __future__ import annotations

import pytest
from rig import Box

HEAD = """
    const sh = (script, options) => RT.spawn(['sh', '-c', script], options);
    const attempt = async (run) => {
      try {
        console.log(JSON.stringify(await run()));
      } catch (error) {
        console.log(`${error.name}: ${error.message} [${error.code}]`);
      }
    };
    const reader = async (child) => [await child.stdout.text(), await child.exited];
"""


def output_lines(box: Box, program: str) -> list[str]:
    box.write({"a.mjs": HEAD + program})
    done = box.run("a.mjs")
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


FORMS = {
    "output": ("reader(sh('echo hi; exit 3'))", '["hi\\n",3]'),
    "cmd": ("reader(RT.spawn({ cmd: ['echo', 'a', 1] }))", '["a 1\\n",0]'),
    "both outputs": (
        "(async () => { const c = sh('echo o; echo e >&2', { stderr: 'pipe' }); "
        "return [await c.stdout.text(), await c.stderr.text()]; })()",
        '["o\\n","e\\n"]',
    ),
    "json": ("sh(`echo '{\"a\":1}'`).stdout.json()", '{"a":1}'),
    "bytes": ("sh('printf abc').stdout.bytes().then((b) => [...b])", "[97,98,99]"),
    "iteration": (
        "(async () => { let all = ''; for await (const c of sh('echo 1; echo 2').stdout) all += new TextDecoder().decode(c); "
        "return all; })()",
        '"1\\n2\\n"',
    ),
    "nothing": (
        "(() => { const c = sh('echo x', { stdout: 'ignore', stderr: null }); "
        "return [c.stdin === undefined, c.stdout === undefined, c.stderr === undefined, c.stdio]; })()",
        "[true,true,true,[null,null,null]]",
    ),
    "folder": ("reader(sh('pwd', { cwd: '/usr' }))", '["/usr\\n",0]'),
    "environment": (
        "reader(RT.spawn(['/usr/bin/env'], { env: { A: 1, B: undefined, C: null } }))",
        '["A=1\\nC=null\\n",0]',
    ),
    "argv0": ("reader(RT.spawn(['sh', '-c', 'echo $0'], { argv0: 'zero' }))", '["zero\\n",0]'),
    "input as bytes": ("reader(RT.spawn(['cat'], { stdin: new Uint8Array([104, 105]) }))", '["hi",0]'),
    "input as a buffer": ("reader(RT.spawn(['wc', '-c'], { stdin: new ArrayBuffer(3000000) }))", '["3000000\\n",0]'),
    "input that is at hand": (
        "[new Blob(['bl', new Uint8Array([111, 98])]), new Response('text'), new Request('http://a', { method: 'POST', body: "
        "new Blob(['request']) }), new Response()].map((stdin) => `${RT.spawnSync(['cat'], { stdin }).stdout}`)",
        '["blob","text","request",""]',
    ),
    "input that has to be waited for": (
        "(() => { try { RT.spawnSync(['cat'], { stdin: new Response(new ReadableStream()) }); } "
        "catch (error) { return error.message; } })()",
        '"ReadableStream cannot be used in sync mode"',
    ),
    "input from a file": ("reader(RT.spawn(['cat'], { stdin: RT.file('given.txt') }))", '["given",0]'),
    "output to a file": (
        "(async () => { await sh('echo to', { stdout: RT.file('out.txt') }).exited; return RT.file('out.txt').text(); })()",
        '"to\\n"',
    ),
    "input as a stream": (
        "reader(RT.spawn(['cat'], { stdin: new ReadableStream({ start(c) { c.enqueue('a'); "
        "c.enqueue(new Uint8Array([98])); c.close(); } }) }))",
        '["ab",0]',
    ),
    "input of another's output": ("reader(RT.spawn(['cat'], { stdin: sh('echo piped').stdout }))", '["piped\\n",0]'),
    "signal": (
        "(async () => { const c = sh('exec sleep 100'); c.kill(); return [await c.exited, c.exitCode, c.signalCode, c.killed]; })()",
        '[143,null,"SIGTERM",true]',
    ),
    "named signal": (
        "(async () => { const c = sh('exec sleep 100'); c.kill('SIGINT'); return c.exited; })()",
        "130",
    ),
    "numbered signal": ("(async () => { const c = sh('exec sleep 100'); c.kill(9); return c.exited; })()", "137"),
    "timeout": (
        "(async () => { const c = sh('exec sleep 100', { timeout: 20 }); return [await c.exited, c.signalCode]; })()",
        '[143,"SIGTERM"]',
    ),
    "timeout and signal": (
        "(async () => { const c = sh('exec sleep 100', { timeout: 20, killSignal: 'SIGKILL' }); return c.exited; })()",
        "137",
    ),
    "abort": (
        "(async () => { const a = new AbortController(); const c = sh('exec sleep 100', { signal: a.signal }); a.abort(); "
        "return [await c.exited, c.signalCode]; })()",
        '[143,"SIGTERM"]',
    ),
    "too much": (
        "(async () => { const c = RT.spawn(['yes'], { maxBuffer: 100 }); const size = (await c.stdout.text()).length; "
        "return [size > 100, (await c.exited) > 128]; })()",
        "[true,true]",
    ),
    "dispose": (
        "(async () => { let c; { await using one = sh('exec sleep 100'); c = one; } return [c.signalCode, c.killed]; })()",
        '["SIGTERM",true]',
    ),
    "onExit": (
        "new Promise((resolve) => { const c = sh('exit 4', { onExit(...args) { resolve([args[0] === c, ...args.slice(1, 3)]); } }); })",
        "[true,4,null]",
    ),
    "usage": (
        "(async () => { const c = sh('true'); const before = c.resourceUsage(); await c.exited; const u = c.resourceUsage(); "
        "return [before === undefined, u.maxRSS > 1e5, typeof u.cpuTime.total, u.contextSwitches.voluntary >= 0]; })()",
        '[true,true,"bigint",true]',
    ),
    "detached": (
        "(async () => { const c = sh('ps -o sid= $$', { detached: true }); return Number(await c.stdout.text()) === c.pid; })()",
        "true",
    ),
    "extra descriptors": (
        "(async () => { const c = sh('echo extra >&3', { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] }); await c.exited; "
        "return [c.stdio.slice(0, 3), (await import('node:fs')).readFileSync(c.stdio[3], 'utf8')]; })()",
        '[[null,null,null],"extra\\n"]',
    ),
    "writing": (
        "(async () => { const c = RT.spawn(['cat'], { stdin: 'pipe' }); const sizes = [c.stdin.write('é'), "
        "c.stdin.write(new Uint16Array(1)), c.stdin.flush()]; c.stdin.write('x'); await c.stdin.end(); "
        "return [sizes, c.stdin === c.writable, await c.stdout.text()]; })()",
        '[[2,2,4],true,"é\\u0000\\u0000x"]',
    ),
    "writing much": (
        "(async () => { const c = RT.spawn(['wc', '-c'], { stdin: 'pipe' }); const sizes = await Promise.all("
        "[c.stdin.write(new Uint8Array(1e6)), c.stdin.end()]); return [sizes, await c.stdout.text()]; })()",
        '[[1000000,1000000],"1000000\\n"]',
    ),
    "writing without flush": (
        "(async () => { const c = RT.spawn(['head', '-c', '4'], { stdin: 'pipe' }); c.stdin.write('auto'); return c.stdout.text(); })()",
        '"auto"',
    ),
    "writing to the dead": (
        "(async () => { const c = RT.spawn(['true'], { stdin: 'pipe' }); await c.exited; "
        "return [c.stdin.write('x'), c.stdin.flush() === undefined, c.stdin.end()]; })()",
        "[true,true,0]",
    ),
    "a child that reads no more": (
        "(async () => { const c = RT.spawn(['sleep', '100'], { stdin: 'pipe' }); c.stdin.write(new Uint8Array(1e6)); "
        "const flushed = c.stdin.flush(); c.kill(); return flushed; })()",
        "Error: EPIPE: broken pipe, write [EPIPE]",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(box: Box, form: str) -> None:
    expression, expected = FORMS[form]
    box.write({"given.txt": "given"})
    assert output_lines(box, f"await attempt(() => {expression});") == [expected]


REFUSED = {
    "RT.spawn([])": "TypeError: cmd must not be empty [ERR_INVALID_ARG_TYPE]",
    "RT.spawn('ls')": "TypeError: cmd must be an array [ERR_INVALID_ARG_TYPE]",
    "RT.spawn()": "TypeError: cmd must be an array [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['no-such-program'])": 'Error: Executable not found in $PATH: "no-such-program" [ENOENT]',
    "RT.spawn([''])": 'Error: Executable not found in $PATH: "" [ENOENT]',
    "RT.spawn(['/no/such'])": "Error: ENOENT: no such file or directory, posix_spawn '/no/such' [ENOENT]",
    "RT.spawn(['ls'], { cwd: '/no/such' })": "Error: ENOENT: no such file or directory, posix_spawn 'ls' [ENOENT]",
    "RT.spawn(['./given.txt'])": "Error: EACCES: permission denied, posix_spawn './given.txt' [EACCES]",
    "RT.spawn(['ls', 'a\\0b'])": "TypeError: The argument 'args[1]' must be a string without null bytes. "
    'Received "a\\u0000b" [ERR_INVALID_ARG_VALUE]',
    "RT.spawn(['ls'], { stdout: 'x' })": "TypeError: stdio must be an array of 'inherit', 'pipe', 'ignore', "
    "RT.file(pathOrFd), number, or null [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { stdin: {} })": "TypeError: stdio must be an array of 'inherit', 'ignore', or null [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { stdout: new Uint8Array(1) })": "TypeError: ArrayBufferView cannot be used for stdout/stderr yet "
    "[ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { stdin: 1 })": "TypeError: stdout and stderr cannot be used for stdin [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { stdin: -1 })": "TypeError: file descriptor must be a positive integer [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { stdin: 1234 })": "Error: EBADF: bad file descriptor, posix_spawn 'ls' [EBADF]",
    "RT.spawn(['ls'], { stdio: 'inherit' })": "TypeError: stdio must be an array [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { env: 3 })": "TypeError: env must be an object [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { timeout: -1 })": 'RangeError: The value of "timeout" is out of range. '
    "It must be >= 0 and <= 9007199254740991. Received -1 [ERR_OUT_OF_RANGE]",
    "RT.spawn(['ls'], { timeout: 'x' })": 'TypeError: The "timeout" property must be of type number. '
    "Received string [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { killSignal: 99 })": "TypeError: Invalid signal: must be < 32 [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { onExit: 3 })": "TypeError: onExit must be a function or undefined [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['ls'], { signal: AbortSignal.abort() })": "AbortError: The operation was aborted [ABORT_ERR]",
    "RT.spawn(['ls'], { ipc() {}, serialization: 'x' })": 'TypeError: serialization must be "json" or "advanced" '
    "[ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['sleep', '0'], { stdin: 'pipe' }).stdin.write(5)": "TypeError: write() expects a string, ArrayBufferView, "
    "or ArrayBuffer [ERR_INVALID_ARG_TYPE]",
    "RT.spawn(['sleep', '0']).send({})": "Error: Subprocess.send() can only be used if an IPC channel is open. "
    "[ERR_IPC_CHANNEL_CLOSED]",
}


def test_rejected_input(box: Box) -> None:
    box.write({"given.txt": "given"})
    program = "\n".join(f"await attempt(() => {expression});" for expression in REFUSED)
    assert output_lines(box, program) == list(REFUSED.values())


def test_sync(box: Box) -> None:
    program = """
        const show = ({ pid, resourceUsage, stdout, stderr, ...rest }) =>
          console.log(pid > 0, resourceUsage.maxRSS > 0, stdout && String(stdout), stderr && String(stderr), JSON.stringify(rest));
        const run = (script, options) => show(RT.spawnSync(['sh', '-c', script], options));
        run('echo o; echo e >&2; exit 2');
        run('kill -9 $$');
        run('exec sleep 100', { timeout: 20 });
        run('exec sleep 100', { timeout: 20, killSignal: 'SIGKILL' });
        run('cat', { stdin: new TextEncoder().encode('given') });
        run('cat', { stdin: RT.file('given.txt') });
        run('echo x', { stdout: 'ignore', stderr: null });
        run('sleep 100 & exec sleep 100', { timeout: 20 });
        console.log(RT.spawnSync(['yes'], { maxBuffer: 100 }).exitedDueToMaxBuffer, Buffer.isBuffer(RT.spawnSync(['true']).stdout));
        await attempt(() => RT.spawnSync(['no-such-program']));
        run('echo inherited', { stdout: 'inherit' });
    """
    box.write({"given.txt": "from a file"})
    assert output_lines(box, program) == [
        "true true o",
        " e",
        ' {"exitCode":2,"success":false}',
        'true true   {"exitCode":null,"signalCode":"SIGKILL","success":false}',
        'true true   {"exitCode":null,"signalCode":"SIGTERM","success":false,"exitedDueToTimeout":true}',
        'true true   {"exitCode":null,"signalCode":"SIGKILL","success":false,"exitedDueToTimeout":true}',
        'true true given  {"exitCode":0,"success":true}',
        'true true from a file  {"exitCode":0,"success":true}',
        'true true undefined undefined {"exitCode":0,"success":true}',
        'true true   {"exitCode":null,"signalCode":"SIGTERM","success":false,"exitedDueToTimeout":true}',
        "true true",
        'Error: Executable not found in $PATH: "no-such-program" [ENOENT]',
        "inherited",
        'true true undefined  {"exitCode":0,"success":true}',
    ]


@pytest.mark.parametrize("serialization", ["json", "advanced"])
def test_messages(box: Box, serialization: str) -> None:
    box.write(
        {
            "child.mjs": """
                process.on('message', (message) => process.send({ echo: message }));
                process.on('disconnect', () => console.log('child disconnected', process.connected));
            """
        }
    )
    program = f"""
        const child = RT.spawn([process.execPath, 'child.mjs'], {{
          stdout: 'inherit', serialization: '{serialization}',
          ipc(message, subprocess) {{
            console.log(JSON.stringify(message), message.echo.at instanceof Date, subprocess === child, child.connected);
            child.disconnect();
          }},
          onDisconnect() {{ console.log('disconnected', child.connected); }},
        }});
        console.log(child.connected, child.send({{ at: new Date(0) }}));
        await child.exited;
        await attempt(() => child.send({{}}));
    """
    is_date = "true" if serialization == "advanced" else "false"
    lines = output_lines(box, program)
    assert sorted(lines[:-1]) == sorted(
        [
            "true true",
            f'{{"echo":{{"at":"1970-01-01T00:00:00.000Z"}}}} {is_date} true true',
            "disconnected false",
            "child disconnected false",
        ]
    )
    assert lines[-1] == "Error: Subprocess.send() cannot be used after the process has exited. [ERR_IPC_CHANNEL_CLOSED]"


def test_a_child_keeps_the_program_alive_unless_unreferenced(box: Box) -> None:
    assert output_lines(box, "sh('sleep 0.05; echo waited', { stdout: 'inherit' });") == ["waited"]
    assert output_lines(box, "sh('sleep 1000; echo never', { stdout: 'inherit' }).unref(); console.log('over');") == [
        "over"
    ]
    assert box.left() == []


def test_unread_output_holds_no_descriptor(box: Box) -> None:
    program = """
        const { readdirSync } = await import('node:fs');
        const descriptors = () => readdirSync('/proc/self/fd').length;
        const run = async (word) => {
          const child = RT.spawn(['echo', word], { stdin: 'pipe', stderr: 'pipe' });
          await child.exited;
          return child;
        };
        await run('first');
        await RT.sleep(1);
        const before = descriptors();
        const children = [];
        for (let i = 0; i < 20; i++) children.push(await run(`word ${i}`));
        while (descriptors() > before) await RT.sleep(1);
        console.log(await children[3].stdout.text(), await children[3].stderr.text());
    """
    assert output_lines(box, program) == ["word 3", " "]
