// Digests and HMACs of one text or a few bytes, of several pieces, as streams, copied, and of algorithms that are used again.
const { createHash, createHmac, hash } = require('crypto');
const b = Buffer.from('abc');
for (const f of [() => createHash('sha256'), () => createHmac('sha256', 'k'), () => createHmac('sha256', Buffer.from('k'))]) {
  for (let i = 0; i < 2; i++) {
    console.log(f().digest('hex'), f().update('').digest('base64'));
    console.log(f().update('abc').digest('hex') === f().update(b).digest('hex'), f().update('a').update('bc').digest('hex') === f().update(b).digest().toString('hex'));
    const h = f(); const c = Buffer.from('abc'); h.update(c); c[0] = 0; console.log(h.digest('hex') === f().update(b).digest('hex'));
    const s = f(); s.write('abc'); s.end(); const r = s.read(); console.log(r.toString('hex'));
    try { console.log(s.digest('hex')); r[0] ^= 1; console.log(s.digest('hex')) } catch (e) { console.log(e.code) }
    const l = f().update('6162', 'hex'); console.log(l.update('63', 'hex').digest('hex') === f().update(b).digest('hex'));
    const d = f(); d.update(new DataView(new ArrayBuffer(3))); console.log(d.digest('base64url'));
    const u = f(); u.update(new Uint16Array([1, 2])); console.log(u.digest('latin1').length);
    const w = f(); w.update('x'); w.digest(); try { w.update('y') } catch (e) { console.log(e.code) } try { console.log(w.digest('hex')) } catch (e) { console.log(e.code) }
  }
}
const h = createHash('sha256').update('a'); const k = h.copy(); console.log(k.update('b').digest('hex'), h.digest('hex'));
const h2 = createHash('sha256'); console.log(h2.copy().digest('hex'));
for (const bad of ['nope', '', 'SHA256 ']) { try { createHash(bad) } catch (e) { console.log(e.message, e.code) } try { createHmac(bad, 'k') } catch (e) { console.log(e.message, e.code) } }
console.log(createHash('shake128', { outputLength: 4 }).update('a').digest('hex'), createHash('SHA256').update('\ud800').digest('hex'), createHash('sha256').update('\ud800').digest('hex'));
const det = new Uint8Array(4); structuredClone(det.buffer, { transfer: [det.buffer] }); console.log(createHash('sha256').update(det).digest('hex'));
console.log(require('util').inspect(createHash('sha256')).slice(0, 60));
