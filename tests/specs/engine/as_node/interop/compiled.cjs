'use strict';
var __exportStar = (this && this.__exportStar) || function (module, exports) {
  for (var key in module) if (key !== 'default' && !(key in exports)) exports[key] = module[key];
};
Object.defineProperty(exports, '__esModule', { value: true });
__exportStar(require('./part.cjs'), exports);
const tslib = { __exportStar };
tslib.__exportStar(require('./other_part.cjs'), exports);
exports.default = 'the default';
