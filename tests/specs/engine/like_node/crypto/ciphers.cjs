// Symmetric ciphers: each one in both directions, authenticated modes with their tags, streams, invalid arguments.
const crypto = require('node:crypto');
const { inspect } = require('node:util');
const log = (...args) => process.stdout.write(`${args.map((each) => (typeof each === 'string' ? each : inspect(each))).join(' ')}\n`);
const say = (title, run) => {
  try {
    log(title, run());
  } catch (error) {
    log(title, error.name, error.message, { ...error });
  }
};
const bytes = (size) => Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + 3) & 255));
log(crypto.getCiphers());
for (const name of crypto.getCiphers()) {
  const info = crypto.getCipherInfo(name);
  log(name, info);
  if (info === undefined) continue;
  const key = bytes(info.keyLength);
  const iv = info.ivLength ? bytes(info.ivLength) : null;
  const options = /ccm|ocb|poly1305/.test(name) ? { authTagLength: 16 } : undefined;
  const isTagged = /gcm$|ccm|ocb|poly1305/.test(name);
  for (const size of [0, 7, 16, 32]) {
    say(`${name} ${size}`, () => {
      const cipher = crypto.createCipheriv(name, key, iv, options);
      const parts = [cipher.update(bytes(size)), cipher.final()];
      const tag = isTagged ? cipher.getAuthTag() : undefined;
      const whole = Buffer.concat(parts);
      const decipher = crypto.createDecipheriv(name, key, iv, options);
      if (tag) decipher.setAuthTag(tag);
      const back = Buffer.concat([decipher.update(whole), decipher.final()]);
      const isRandom = /des3-?wrap|cms3deswrap/.test(name); // these generate their own IV
      return [isRandom ? whole.length : whole.toString('hex'), tag?.toString('hex'), back.equals(bytes(size))];
    });
  }
}
for (const nid of [0, 1, 418, 895, -1, 99999, 1.5, 2 ** 40]) say(`nid ${nid}`, () => crypto.getCipherInfo(nid));
for (const options of [{ keyLength: 16 }, { keyLength: 12 }, { ivLength: 12 }, { ivLength: 0 }, { ivLength: 60 }, { keyLength: 'x' }, null, 3]) {
  for (const name of ['aes-128-cbc', 'aes-128-gcm', 'aes-128-ccm', 'aes-128-ocb', 'chacha20-poly1305', 'aes-128-ecb', 'nope']) {
    say(name, () => crypto.getCipherInfo(name, options));
  }
}
for (const bad of [undefined, null, 3, {}, true, '', 'abc']) {
  say('name', () => crypto.createCipheriv(bad, bytes(16), bytes(16)));
  say('key', () => crypto.createCipheriv('aes-128-cbc', bad, bytes(16)));
  say('iv', () => crypto.createCipheriv('aes-128-cbc', bytes(16), bad));
  say('data', () => crypto.createCipheriv('aes-128-cbc', bytes(16), bytes(16)).update(bad));
  say('tag', () => crypto.createDecipheriv('aes-128-gcm', bytes(16), bytes(12)).setAuthTag(bad) && 1);
  say('aad', () => crypto.createCipheriv('aes-128-gcm', bytes(16), bytes(12)).setAAD(bad) && 1);
  say('info', () => crypto.getCipherInfo(bad));
}
for (const authTagLength of [-1, 0, 3, 4, 5, 8, 12, 13, 16, 17, 1.5, 'x', null, undefined, 2 ** 33]) {
  for (const name of ['aes-128-gcm', 'aes-128-ccm', 'aes-128-ocb', 'chacha20-poly1305', 'aes-128-cbc']) {
    const iv = bytes(name.endsWith('cbc') ? 16 : 12);
    const key = bytes(name.startsWith('cha') ? 32 : 16);
    say(`${name} tag of ${authTagLength}`, () => {
      const cipher = crypto.createCipheriv(name, key, iv, { authTagLength });
      return cipher.update('abc', 'utf8', 'hex') + cipher.final('hex') + cipher.getAuthTag().toString('hex');
    });
    say(`${name} tag given of ${authTagLength}`, () => {
      const decipher = crypto.createDecipheriv(name, key, iv, { authTagLength });
      decipher.setAuthTag(Buffer.alloc(16));
      return decipher.update('abc', 'utf8', 'hex') + decipher.final('hex');
    });
  }
}
for (const name of ['aes-256-gcm', 'aes-256-ccm', 'aes-256-ocb', 'chacha20-poly1305']) {
  for (const size of [1, 7, 8, 12, 13, 14, 15, 16]) {
    say(`${name} iv of ${size}`, () => {
      const cipher = crypto.createCipheriv(name, bytes(32), bytes(size), { authTagLength: 16 });
      cipher.setAAD(Buffer.from('more'), { plaintextLength: 3 });
      return cipher.update('abc', 'utf8', 'base64') + cipher.final('base64') + cipher.getAuthTag().toString('base64');
    });
  }
  say(`${name} wrong tag`, () => {
    const decipher = crypto.createDecipheriv(name, bytes(32), bytes(12), { authTagLength: 16 });
    decipher.setAuthTag(Buffer.alloc(16)).setAAD(Buffer.from('x'), { plaintextLength: 3 });
    decipher.update('abc');
    return decipher.final();
  });
  say(`${name} no tag`, () => {
    const decipher = crypto.createDecipheriv(name, bytes(32), bytes(12), { authTagLength: 16 });
    decipher.update('abc');
    return decipher.final();
  });
  say(`${name} tag twice`, () => crypto.createDecipheriv(name, bytes(32), bytes(12), { authTagLength: 16 }).setAuthTag(Buffer.alloc(16)).setAuthTag(Buffer.alloc(16)));
  say(`${name} early tag`, () => crypto.createCipheriv(name, bytes(32), bytes(12), { authTagLength: 16 }).getAuthTag());
  say(`${name} aad without length`, () => crypto.createCipheriv(name, bytes(32), bytes(12), { authTagLength: 16 }).setAAD(Buffer.from('x')) && 1);
}
say('ccm too long', () => crypto.createCipheriv('aes-128-ccm', bytes(16), bytes(13), { authTagLength: 16 }).update(Buffer.alloc(70000)));
const make = (padding) => {
  const cipher = crypto.createCipheriv('aes-128-cbc', bytes(16), bytes(16));
  cipher.setAutoPadding(padding);
  return cipher;
};
for (const padding of [true, false, undefined]) {
  for (const size of [15, 16]) say(`padding ${padding} ${size}`, () => { const c = make(padding); return [c.update(bytes(size)), c.final()]; });
}
const done = make(true);
done.final();
say('final twice', () => done.final());
say('update late', () => done.update('x'));
say('padding late', () => done.setAutoPadding());
say('tag of cbc', () => done.getAuthTag());
say('aad of cbc', () => make(true).setAAD(Buffer.alloc(1)));
say('change encoding', () => { const c = make(true); c.update('abc', 'utf8', 'hex'); return c.update('abc', 'utf8', 'base64'); });
say('unknown encoding', () => make(true).update('abc', 'utf8', 'nope'));
say('odd hex', () => make(true).update('abc', 'hex'));
say('utf8 out', () => { const c = make(true); return c.update('a'.repeat(40), 'latin1', 'latin1') + c.final('latin1'); });
say('wrap', () => { const c = crypto.createCipheriv('aes128-wrap', bytes(16), bytes(8)); return [c.update(bytes(16)), c.final()]; });
say('without new', () => crypto.Cipheriv('aes-128-ecb', bytes(16), null).update(bytes(16)));
log(make(true), crypto.createDecipheriv('aes-128-ecb', bytes(16), ''));
const stream = make(true);
stream.setEncoding('hex');
stream.on('data', (text) => log('data', text)).on('end', () => log('end'));
stream.write('abc');
stream.end('defghijklmnopqrstuvwxyz');
crypto.createDecipheriv('aes-128-cbc', bytes(16), bytes(16)).on('error', (error) => log('stream', error.message, { ...error })).end('abc');
