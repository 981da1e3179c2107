const fs = require("fs");
exports.sum = (a, b) => a + b;
exports.read = (path) => fs.readFileSync(path, "utf8");
exports.later = (callback) => setTimeout(() => callback("late"), 10_000);
exports.never = () => { if (exports.sum(1, 1) > 5) return "never"; };
