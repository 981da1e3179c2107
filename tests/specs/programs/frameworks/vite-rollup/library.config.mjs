export default { build: { outDir: 'library', lib: { entry: 'src/b.ts', formats: ['es'], fileName: 'b' } } };
