import js from "@eslint/js";
const own = { meta: { type: "problem", fixable: "code" }, create: (context) => ({ Identifier(node) { if (node.name === "foo") context.report({ node, message: "no foo", fix: (fixer) => fixer.replaceText(node, "bar") }) } }) };
export default [js.configs.recommended, { plugins: { own: { rules: { "no-foo": own } } }, rules: { "own/no-foo": "warn", "prefer-const": "error", "no-var": "error" }, languageOptions: { globals: { console: "readonly" } } }];
