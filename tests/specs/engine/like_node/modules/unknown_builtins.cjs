// Unknown names that begin with node: when resolved and when loaded.
const Module = require('node:module');
const show = (name, act) => {
  try {
    console.log(name, act());
  } catch (error) {
    console.log(name, error.name, error.code, error.message.replaceAll(__filename, '<file>'), error.requireStack?.length);
  }
};
show('resolve', () => require.resolve('node:unknown'));
show('paths', () => require.resolve('node:unknown', { paths: ['/x'] }));
show('created', () => Module.createRequire(__filename).resolve('node:unknown'));
show('_resolveFilename', () => Module._resolveFilename('node:unknown', module));
show('without parent', () => Module._resolveFilename('node:unknown'));
show('require', () => require('node:unknown'));
show('_load', () => Module._load('node:unknown'));
show('getBuiltinModule', () => process.getBuiltinModule('node:unknown'));
show('known', () => require.resolve('node:test/reporters'));
import('node:unknown').catch(({ code, message }) => console.log(code, message));
