'use strict';
Object.defineProperty(exports, '__esModule', { value: true });
var _part = require('./part.cjs');
Object.keys(_part).forEach(function (key) {
  if (key === 'default' || key === '__esModule') return;
  Object.defineProperty(exports, key, { enumerable: true, get: function () { return _part[key]; } });
});
var _other = require('./other_part.cjs');
Object.keys(_other).forEach(function (key) { console.log('only read', key); });
