"""The order of timers, immediates, ticks and microtasks, and what keeps a program alive, as in Node 26."""

from __future__ import annotations

import pytest
from rig import Box

PROGRAMS = {
    "ticks before microtasks, both before timers": (
        """
        const log = console.log;
        setTimeout(() => { log('t1'); process.nextTick(() => log('t1 tick')); Promise.resolve().then(() => log('t1 micro')); }, 0);
        setTimeout(() => log('t2'), 0);
        process.nextTick(() => { log('tick1'); Promise.resolve().then(() => { log('micro in tick'); process.nextTick(() => log('late tick')); }); });
        Promise.resolve().then(() => { log('micro1'); process.nextTick(() => log('tick in micro')); }).then(() => log('micro2'));
        queueMicrotask(() => log('queued'));
        process.nextTick(() => log('tick2'));
        log('sync');
        """,
        "sync|tick1|tick2|micro1|queued|micro in tick|micro2|tick in micro|late tick|t1|t1 tick|t1 micro|t2",
    ),
    "timers by time, then by order": (
        "for (const [n, ms] of [[3, 30], [1, 10], [2, 20], ['a', 1], ['b', 0], ['c', 1]]) setTimeout(() => console.log(n), ms)",
        "a|b|c|1|2|3",
    ),
    "immediates made by immediates wait for the next turn": (
        """
        setImmediate(() => { console.log('i1'); setImmediate(() => console.log('i3')); process.nextTick(() => console.log('tick')); });
        setImmediate(() => console.log('i2'));
        """,
        "i1|tick|i2|i3",
    ),
    "what is cleared or unreferenced does not run": (
        """
        let n = 0;
        const t = setInterval(() => { console.log('i', ++n); if (n === 3) clearInterval(t); }, 1);
        const u = setTimeout(() => console.log('never'), 100000).unref();
        clearImmediate(setImmediate(() => console.log('cleared')));
        console.log(u.hasRef(), t.hasRef());
        """,
        "false true|i 1|i 2|i 3",
    ),
    "beforeExit may go on": (
        """
        let n = 0;
        process.on('beforeExit', (code) => { console.log('beforeExit', code); if (n++ < 1) setTimeout(() => console.log('more'), 1); });
        process.on('exit', (code) => console.log('exit', code));
        """,
        "beforeExit 0|more|beforeExit 0|exit 0",
    ),
    "an error in one timer does not stop the next": (
        """
        process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
        setTimeout(() => { throw new Error('a'); }, 1);
        setTimeout(() => { console.log('next'); Promise.reject(new Error('b')); }, 1);
        """,
        "a uncaughtException|next|b unhandledRejection",
    ),
    "rejections handled too late": (
        """
        process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
        process.on('rejectionHandled', () => console.log('handled'));
        const p = Promise.reject(1);
        Promise.reject(2).catch(() => {});
        setTimeout(() => p.catch(() => {}), 5);
        """,
        "unhandled 1|handled",
    ),
    "a signal listener is called and keeps nothing alive": (
        """
        const k = setInterval(() => {}, 1000);
        process.on('SIGUSR2', (name, number) => { console.log(name, number); clearInterval(k); });
        process.kill(process.pid, 'SIGUSR2');
        """,
        "SIGUSR2 12",
    ),
    "import() of a built-in needs no turn, of a file it does": (
        """
        import('./x.mjs').then(() => console.log('imported'));
        import('node:path').then(() => console.log('path'));
        setTimeout(() => console.log('timer'), 20);
        console.log('sync');
        """,
        "sync|path|x|imported|timer",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_order(box: Box, name: str) -> None:
    source, expected = PROGRAMS[name]
    box.write({"a.cjs": source, "x.mjs": "console.log('x')"})
    done = box.run("a.cjs")
    assert done.stderr == b""
    assert done.stdout.decode().rstrip("\n").split("\n") == expected.split("|")
    assert done.returncode == 0
