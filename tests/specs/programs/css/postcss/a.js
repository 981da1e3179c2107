import postcss from "postcss";
const own = () => ({ postcssPlugin: "own", Declaration(node, { result }) { if (node.prop === "old") { node.warn(result, "is old"); node.prop = "new" } } }); own.postcss = true;
const result = await postcss([own()]).process("a{old:1}\nb{c:d}", { from: "x.css", to: "y.css", map: { inline: false } });
console.log(result.css, result.map.toString(), result.warnings().map(String).join());
try { postcss.parse("a {\n b: c", { from: "x.css" }) } catch (error) { console.log(error.name, error.line, error.column, error.reason, error.showSourceCode(false)) }
