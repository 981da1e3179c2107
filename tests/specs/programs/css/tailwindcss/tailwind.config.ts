import type { Config } from "tailwindcss"; import plugin from "tailwindcss/plugin";
export default { content: ["./src/**/*.{html,ts}"], theme: { extend: { colors: { brand: "#123456" } } }, plugins: [plugin(({ addUtilities }) => addUtilities({ ".own": { content: '"own"' } }))] } satisfies Config;
