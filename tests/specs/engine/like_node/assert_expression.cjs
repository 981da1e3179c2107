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
