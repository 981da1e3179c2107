// @ts-check
'use strict';
// Owns: classes of upper floors that lower floors must recognise: URL for inspect, Buffer for byte streams. The file that
// defines a class registers it here; until then no instance can exist.

/** @type {{ __proto__: null, URL: any, Buffer: any }} */
const late = { __proto__: null, URL: undefined, Buffer: undefined };

const isInstance = (name, value) => late[name] !== undefined && value instanceof late[name];

module.exports = { late, isInstance };
