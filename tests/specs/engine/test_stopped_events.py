"""Listeners that stopImmediatePropagation does not stop, and emitters of older packages."""

from __future__ import annotations

from rig import Box


def test_abort_listeners_survive_stop_immediate_propagation(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const events = require('events');
                const controller = new AbortController();
                const { signal } = controller;
                signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
                signal.addEventListener('abort', () => console.log('never'));
                events.addAbortListener(signal, (event) => console.log(event.target === signal));
                events.once(new EventTarget(), 'foo', { signal }).catch((error) => console.log(error.name));
                (async () => { for await (const _ of events.on(new events(), 'foo', { signal })); })().catch((error) => console.log(error.code));
                console.log(events.getMaxListeners(signal), events.getMaxListeners(new EventTarget()));
                controller.abort();
            """
        }
    )
    assert box.run("a.cjs").stdout.decode().splitlines() == ["0 10", "true", "ABORT_ERR", "AbortError"]


def test_pipe_listens_to_emitters_that_cannot_prepend(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const { Stream, Readable } = require('stream');
                const makeTarget = () => {
                  const target = new Stream();
                  target.prependListener = undefined;
                  target.on('error', () => console.log('own'));
                  target.write = target.end = () => true;
                  return target;
                };
                for (const source of [new Readable({ read() {} }), new Stream()]) {
                  const target = makeTarget();
                  source.on('unpipe', () => {});
                  target.on('unpipe', () => console.log('unpiped'));
                  source.pipe(target);
                  console.log(target.listenerCount('error'), target.listeners('error')[0].name);
                  target.emit('error', new Error('x'));
                }
            """
        }
    )
    assert box.run("a.cjs").stdout.decode().splitlines() == ["2 onError", "unpiped", "own", "2 onError", "own"]
