"""Edge cases of Buffers: accepted kinds of memory, sharing, and rejected arguments."""

from __future__ import annotations

from rig import Box


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": body})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_only_memory_counts_as_memory(box: Box) -> None:
    assert run(
        box,
        """
        function Fake() {}
        Object.setPrototypeOf(Fake.prototype, ArrayBuffer.prototype);
        try { Buffer.from(new Fake()); } catch (error) { console.log(error.code, error.message.slice(-28)); }
        console.log(Buffer.from(require('vm').runInNewContext('new ArrayBuffer(3)')).length);
        const lying = Object.defineProperty(new Uint8Array([1, 2]), 'length', { value: 100 });
        console.log(Buffer.concat([lying, new Uint8Array([3])]).length);
        const growing = new ArrayBuffer(2, { maxByteLength: 8 });
        const buffer = Buffer.from(growing);
        growing.resize(5);
        console.log(buffer.length);
        console.log(Buffer.prototype[require('util').inspect.custom].call(new Uint8Array([1])));
        """,
    ) == ["ERR_INVALID_ARG_TYPE Received an instance of Fake", "3", "3", "5", "<Uint8Array 01>"]


def test_the_buffer_pool_cannot_be_transferred(box: Box) -> None:
    assert run(
        box,
        """
        const buffer = Buffer.from('text');
        for (const give of [
          () => structuredClone(buffer, { transfer: [buffer.buffer] }),
          () => new MessageChannel().port1.postMessage(buffer, [buffer.buffer]),
        ]) try { give(); } catch (error) { console.log(error.name, error.code); }
        console.log(String(buffer));
        process.exit();
        """,
    ) == ["DataCloneError 25", "DataCloneError 25", "text"]


def test_access_out_of_bounds(box: Box) -> None:
    assert run(
        box,
        """
        const buffer = Buffer.alloc(2);
        for (const call of [
          () => buffer.latin1Write('abc', -1),
          () => buffer.utf8Write('abc', 0, 3),
          () => buffer.toString(null),
          () => buffer.toString(''),
        ]) try { console.log(call()); } catch (error) { console.log(error.code, error.message); }
        """,
    ) == [
        'ERR_BUFFER_OUT_OF_BOUNDS "offset" is outside of buffer bounds',
        'ERR_BUFFER_OUT_OF_BOUNDS "length" is outside of buffer bounds',
        "ERR_UNKNOWN_ENCODING Unknown encoding: null",
        "ERR_UNKNOWN_ENCODING Unknown encoding: ",
    ]
