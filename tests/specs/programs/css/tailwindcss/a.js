import postcss from "postcss"; import tailwind from "tailwindcss"; import colors from "tailwindcss/colors.js"; import resolve from "tailwindcss/resolveConfig.js";
const { css } = await postcss([tailwind({ content: [{ raw: "mt-2 bg-red-500" }], corePlugins: { preflight: false } })]).process("@tailwind utilities", { from: undefined });
console.log(css, colors.blue[500], resolve({ content: [], theme: { extend: { spacing: { 13: "3.25rem" } } } }).theme.spacing[13]);
