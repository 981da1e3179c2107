exports.assigned = 1;
module.exports['quoted name'] = 2;
exports['\u{D83C}'] = 'a lone surrogate';
Object.defineProperty(exports, 'defined', { value: 3 });
Object.defineProperty(exports, 'throws', { enumerable: true, get() { throw new Error('getter'); } });
if (globalThis.nothing) exports.never = 4;
exports['comp' + 'uted'] = 5;
exports.default = 'a name';
