"""querystring, string_decoder, os, and functions of util and url: surprising edge cases."""

from __future__ import annotations

from rig import Box


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": body})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_styles_inside_styles(box: Box) -> None:
    assert run(
        box,
        r"""
        const { styleText } = require('util');
        const style = (format, text) => styleText(format, text, { validateStream: false });
        const show = (text) => console.log(text.replaceAll('\x1b', '^'));
        show(style('red', `a${style('blue', 'b')}c`));
        show(style('red', `a${style('blue', 'b')}`));
        show(style('bold', `a${style('dim', 'b')}c`));
        """,
    ) == ["^[31ma^[34mb^[31mc^[39m", "^[31ma^[34mb^[39m^[39m", "^[1ma^[2mb^[22m^[1mc^[22m"]


def test_numbers_in_groups_of_three(box: Box) -> None:
    assert run(
        box,
        """
        const util = require('util');
        console.log(util.formatWithOptions({ numericSeparator: true }, '%s %d %i %f', 12345n, 12345, 12345.5, 1234.5));
        console.log(util.format('%d', 12345));
        """,
    ) == ["12_345n 12_345 12_345 1_234.5", "12345"]


def test_query_strings(box: Box) -> None:
    assert run(
        box,
        r"""
        const qs = require('querystring');
        console.log(qs.escape('\ud801test'), Object.keys(qs.parse('&a=1', null, null, { maxKeys: 1 })).length);
        try { qs.escape('\ud801'); } catch (error) { console.log(error.name, error.code); }
        qs.unescape = (text) => text.replace(/o/g, '_');
        qs.escape = (text) => text.replace(/a/g, '+');
        console.log(JSON.stringify(qs.parse('foo=bor')), qs.stringify({ a: 'bad' }));
        """,
    ) == ["%F0%90%91%B4est 0", "URIError ERR_INVALID_URI", '{"f__":"b_r"} +=b+d']


def test_half_a_pair_waits_for_the_other(box: Box) -> None:
    assert run(
        box,
        """
        const decoder = new (require('string_decoder').StringDecoder)('utf16le');
        console.log(['3DD8', '4D', 'DC'].map((hex) => decoder.write(Buffer.from(hex, 'hex'))));
        """,
    ) == ['[ "", "", "👍" ]'.replace("👍", "\U0001f44d")]


def test_arguments_that_os_rejects(box: Box) -> None:
    assert run(
        box,
        """
        'use strict';
        const os = require('os');
        try { os.EOL = 1; } catch (error) { console.log(error.name); }
        try { os.getPriority(-1); } catch (error) { console.log(String(error), error.errno, error.info.code); }
        """,
    ) == [
        "TypeError",
        "SystemError [ERR_SYSTEM_ERROR]: A system error occurred: uv_os_getpriority returned ESRCH (no such process) -3 ESRCH",
    ]


def test_arguments_that_util_and_url_reject(box: Box) -> None:
    assert run(
        box,
        """
        for (const call of [
          () => require('util').convertProcessSignalToExitCode('SIGNONE'),
          () => require('url').urlToHttpOptions('http://a'),
          () => require('child_process').spawn('true', [], { serialization: null }),
        ]) try { call(); } catch (error) { console.log(error.code, error.message.slice(0, 60)); }
        console.log(require('util').convertProcessSignalToExitCode('SIGTERM'));
        """,
    ) == [
        "ERR_INVALID_ARG_VALUE The argument 'signalCode' must be one of: 'SIGHUP', 'SIGINT'",
        'ERR_INVALID_ARG_TYPE The "url" argument must be of type object. Received type str',
        "ERR_INVALID_ARG_VALUE The property 'options.serialization' must be one of: undefin",
        "143",
    ]


def test_a_working_folder_that_a_program_fakes(box: Box) -> None:
    assert run(
        box,
        """
        const path = require('path');
        process.cwd = () => '/pretended';
        console.log(path.resolve('a'), path.relative('/pretended/b', 'c'), path.win32.resolve('a').endsWith('a'));
        process.cwd = () => '';
        console.log(path.resolve());
        """,
    ) == ["/pretended/a ../c true", "."]


def test_a_custom_assert(box: Box) -> None:
    assert run(
        box,
        """
        const { Assert } = require('assert');
        try { Assert(); } catch (error) { console.log(error.code, error.message); }
        const own = new Assert({ diff: 'full' });
        const { strictEqual } = own;
        for (const check of [() => own.strictEqual(1, 2), () => strictEqual(1, 2)]) try { check(); } catch (error) { console.log(error.diff); }
        console.log(own instanceof Assert, Object.keys(Assert.prototype).includes('ok'));
        """,
    ) == [
        "ERR_CONSTRUCT_CALL_REQUIRED Class constructor Assert cannot be invoked without `new`",
        "full",
        "simple",
        "true true",
    ]


def test_many_lines_that_come_at_once_are_all_read(box: Box) -> None:
    """The reader falls behind, the input is paused, and it has ended by the time the reader catches up."""
    assert run(
        box,
        """
        const { Readable } = require('stream');
        const readline = require('readline');
        (async () => {
          for (const end of ['', '\\n']) {
            const input = Readable.from([Array.from({ length: 3000 }, (_, i) => `${i}`).join('\\n') + end]);
            let last;
            for await (const line of readline.createInterface({ input })) last = line;
            console.log(last);
          }
        })();
        """,
    ) == ["2999", "2999"]
