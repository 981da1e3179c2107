// Hash and Hmac as streams, once their digest has been computed.
import { createHash, createHmac } from 'node:crypto';

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
for (const create of [() => createHash('sha1'), () => createHmac('sha1', 'key')]) {
  const used = create();
  const seen = [];
  used.update('text').digest();
  used.on('error', (error) => seen.push(`event ${error.code}`));
  used.write('more', (error) => seen.push(`callback ${error?.code}`));
  await pause();
  console.log(seen.join(), used.destroyed);

  const ended = create();
  ended.end('abc');
  await pause();
  try {
    ended.update('x');
  } catch (error) {
    console.log(error.code);
  }
  console.log(ended.read().toString('hex'));
}
