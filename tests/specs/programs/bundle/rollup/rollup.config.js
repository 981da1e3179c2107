const upper = { name: "upper", transform: (code, id) => id.endsWith(".up") ? { code: `export default ${JSON.stringify(code.toUpperCase().trim())}`, map: null } : null };
export default { input: "src/main.js", output: { dir: "out", format: "esm", sourcemap: true, chunkFileNames: "[name].js" }, plugins: [upper] };
