Object.defineProperty(exports, "__esModule", { value: true });
exports.default = 1;
exports.name = 2;
