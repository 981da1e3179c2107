// @ts-check
'use strict';
// Owns: the numbers that native HTTP code and this library exchange, by name; native/src/http/numbers.rs defines them.

/** @type {Record<string, number>} */
const numbers = /** @type {any} */ ({ __proto__: null });
const items = host.native.httpNumbers();
for (let at = 0; at < items.length; at += 2) numbers[items[at]] = items[at + 1];

module.exports = numbers;
