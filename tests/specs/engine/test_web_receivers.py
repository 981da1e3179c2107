"""Methods of web classes called on other objects, and streams whose two ends race."""

from __future__ import annotations

from rig import Box


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": body})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_search_parameters_refuse_other_receivers(box: Box) -> None:
    assert run(
        box,
        """
        const parameters = new URLSearchParams('a=1');
        const names = Object.getOwnPropertyNames(URLSearchParams.prototype).filter((name) => !['constructor', 'size', 'length'].includes(name));
        const codes = new Set();
        for (const name of [...names, Symbol.iterator, require('util').inspect.custom])
          for (const receiver of [undefined, {}, 1, new Map()])
            try { parameters[name].call(receiver); codes.add(name); } catch (error) { codes.add(`${error.code} ${error.message}`); }
        try { parameters.keys().next.call({}); } catch (error) { codes.add(error.message); }
        for (const code of codes) console.log(code);
        """,
    ) == [
        'ERR_INVALID_THIS Value of "this" must be of type URLSearchParams',
        'Value of "this" must be of type URLSearchParamsIterator',
    ]


def test_a_write_while_the_reader_cancels(box: Box) -> None:
    assert run(
        box,
        """
        const stream = new TransformStream({ transform(chunk, controller) { controller.enqueue(chunk); } });
        setTimeout(async () => {
          const reader = stream.readable.getReader();
          const writer = stream.writable.getWriter();
          const all = [reader.read(), reader.cancel(new Error('gone')), writer.write('late')];
          for (const { status, reason } of await Promise.allSettled(all)) console.log(status, reason?.message ?? '');
        });
        """,
    )[:2] == ["fulfilled ", "fulfilled "]


def test_promisified_forms_keep_their_names(box: Box) -> None:
    assert run(
        box,
        """
        const { promisify } = require('util');
        const { exec, execFile } = require('child_process');
        console.log([exec, execFile, require('fs').exists, require('readline').Interface.prototype.question, require('http2').connect]
          .map((one) => promisify(one).name).join());
        process.noDeprecation = true;
        console.log(require('url').parse('\\b http://a\\tb/c\\nd\\0').href, 'v8BreakIterator' in Intl);
        """,
    ) == ["exec,execFile,exists,question,connect", "http://ab/c%0Ad false"]
