import * as sass from "sass";
console.log(sass.info.split("\n").length, sass.compile("src/s.scss").css);
console.log((await sass.compileStringAsync('@use "virtual"; a { b: foo(2px) }', { importers: [{ canonicalize: (url) => new URL(`own:${url}`), load: async () => ({ contents: "x { y: z }", syntax: "scss" }) }], functions: { "foo($n)": async ([n]) => new sass.SassNumber(n.assertNumber().value * 3, "px") } })).css);
try { sass.compileString("a { b: $c }", { url: new URL("file:///x.scss") }) } catch (error) { console.log(error.sassMessage, error.span.start.line, error instanceof sass.Exception) }
