// Failed assertions without a message include the source of the call.
const assert = require('assert');
const t = (f) => { try { f() } catch (e) { console.log(JSON.stringify(e.message), e.generatedMessage, e.code) } };
const a = { b: 0 };
t(() => assert.ok(a.b === 1)); t(() => assert(a.b)); t(() => assert.ok(typeof 123 === 'string'));
t(() => assert.equal(1, 1) || assert(0, undefined)); t(() => assert.ok(
  a.b &&
  a.c, null
)); t(() => { assert(((x) => x)(false)) }); t(() => assert.ok(')' === '(')); t(() => assert.ok(/* ) */ null)); t(() => assert.ok(`${')'}` === 1)); t(() => assert.ok.call(null, 0)); t(() => assert.strict.ok(0)); const { ok } = assert; t(() => ok(a.b)); t(() => [0].forEach(assert.ok)); t(() => assert.strict(0)); t(()=> assert());
        t(() => {
          assert(
            a.b,
          );
        });
const o = { assert, a: { b: assert }, f() { return assert }, 'x-y': assert }; const i = 0; const l = [assert]; const ä = assert;
t(()=>require('assert').ok(0)); t(()=>require('assert').strict.ok(0)); t(()=>o.a.b.ok(0)); t(()=>o['x-y'].ok(0)); t(()=>o.f().ok(0)); t(()=>l[0](0)); t(()=>l[i].ok(0)); t(()=>o?.a?.b?.(0)); t(()=>o . a . b (0)); t(()=>(0,assert)(0)); t(()=>(assert)(0)); t(()=>{ if (1) assert(0); }); t(()=>{ const x=1, y=assert.ok(x===2); }); t(()=>new assert.Assert().ok(0)); t(()=>void assert(0)); t(()=>!assert(0)); t(()=>[1].map(assert.ok(0))); t(()=>assert
.ok(0)); t(()=>assert.
ok(0)); t(()=>assert.ok(0 /* ) */)); t(()=>assert.ok(/[)]/.test('x'))); t(()=>assert.ok(0, )); t(()=>assert.ok(`${')'}`==='x')); t(()=>assert.ok(!`a`)); 
t(()=>assert(typeof ä.x)); t(()=>ä.ok('ü' === 1)); t(()=>assert['ok'](false)); t(()=>assert?.ok?.(false)); t(()=>assert.ok('x' === 1));
t(()=>assert.ok("	" === 1));
