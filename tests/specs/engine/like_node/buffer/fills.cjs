// Fills with patterns of all lengths, in whole buffers and parts of them; and a large one, which takes linear time.
const out = [];
for (const pattern of ['a', 'ab', 'abc', 'é', Buffer.from([1, 2, 3, 4, 5]), new Uint16Array([0x0102, 0x0304]), '']) {
  for (const size of [0, 1, 2, 3, 7, 16]) {
    for (const [start, end] of [[0, size], [1, size], [0, size - 1], [2, 5]]) {
      if (start > size || end > size || end < 0) continue;
      out.push(Buffer.alloc(size, 'z').fill(pattern, start, end).toString('hex'));
    }
  }
}
console.log(out.join('\n'));
const large = Buffer.alloc(2 ** 24 + 1).fill('xyz');
console.log(large.toString('latin1', 0, 7), large.toString('latin1', 2 ** 24 - 4), large.indexOf('zz'), large.indexOf(0));
