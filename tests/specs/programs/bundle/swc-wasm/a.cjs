const swc = require("@swc/wasm");
console.log(swc.transformSync("class A<T> { #x: T; static { console.log?.(1n ?? 2) } } enum E { A = 1 }", { jsc: { parser: { syntax: "typescript" }, target: "es2018" }, module: { type: "commonjs" } }).code);
console.log(swc.minifySync("function f(longName) { return longName + 1 } console.log(f(2))", { compress: true, mangle: true }).code);
console.log(swc.parseSync("a ?? b", { syntax: "ecmascript" }).body[0].expression.operator);
try { swc.transformSync("let = 1 +", {}) } catch (error) { console.log(String(error).split("\n")[0]) }
swc.transform("export default <a/>", { jsc: { parser: { syntax: "ecmascript", jsx: true }, transform: { react: { runtime: "automatic" } } } }).then(({ code }) => console.log(code));
