'use strict';
// Owns: the test cases of the rules in this folder. Throws if a case fails.

const { RuleTester } = require('eslint');
const savedPrimordials = require('./saved-primordials');

const iteration = [{ messageId: 'iteration' }];
const descriptor = [{ messageId: 'descriptor' }];

RuleTester.describe = RuleTester.it = (_name, work) => work();
new RuleTester({ languageOptions: { sourceType: 'commonjs', ecmaVersion: 'latest' } }).run(
  'saved-primordials',
  savedPrimordials,
  {
    valid: [
      'for (let index = 0; index < list.length; index++) list[index]();',
      'for (const key in object) key;',
      'const copy = { ...object };',
      'const { 0: first, 1: second } = pair;',
      'for (const one of intact(list)) one();',
      'async function f() { for await (const one of intactAsync(stream)) one(); }',
      'const all = [...intact(list)]; call(...intact(list)); new Thing(...intact(list));',
      'const [first, ...others] = intact(list); [a, b] = intact([b, a]);',
      'new Map(); new Set(intact(list)); Array.from({ length: 3 }); Object.fromEntries(intact(pairs));',
      "Object.defineProperty(object, 'a', { __proto__: null, value: 1 });",
      "Object.defineProperty(object, 'a', { '__proto__': null, get() {} });",
      "ObjectDefineProperty(object, 'a', descriptor);",
      'ObjectDefineProperties(object, { a: { __proto__: null, value: 1 }, b: other });',
      'RegExpTest(/a/, text);',
      'schedule.test(text);', // not known to be a regular expression
      'let pattern = /a/; pattern.test(text);', // nor is this
      'Promise.resolve(1);',
      'pool.all(works);',
    ],
    invalid: [
      { code: 'for (const each of list) each();', errors: iteration },
      { code: 'async function f() { for await (const each of list) each(); }', errors: iteration },
      { code: 'async function f() { for await (const one of intact(list)) one(); }', errors: iteration },
      { code: 'for (const [name] of intact(list)) name();', errors: iteration },
      { code: 'new Map(pairs);', errors: iteration },
      { code: 'Array.from(list);', errors: iteration },
      { code: 'const all = [...list];', errors: iteration },
      { code: 'call(...list);', errors: iteration },
      { code: 'new Thing(...list);', errors: iteration },
      { code: 'const [first] = pair;', errors: iteration },
      { code: '[a, b] = [b, a];', errors: iteration },
      { code: '(([name]) => name)(entry);', errors: iteration },
      { code: "Object.defineProperty(object, 'a', { value: 1 });", errors: descriptor },
      { code: "Reflect.defineProperty(object, 'a', { ...hidden, value: 1 });", errors: descriptor },
      { code: 'Object.create(null, { a: { get() {} } });', errors: descriptor },
      { code: 'ObjectDefineProperties(object, { a: { value: 1 }, b: { value: 2 } });', errors: [...descriptor, ...descriptor] },
      { code: '/a/.test(text);', errors: [{ messageId: 'regexp' }] },
      { code: 'const PATTERN = /a/; function f() { return PATTERN.exec(text); }', errors: [{ messageId: 'regexp' }] },
      { code: 'Promise.all(works);', errors: [{ messageId: 'promise' }] },
    ],
  },
);
