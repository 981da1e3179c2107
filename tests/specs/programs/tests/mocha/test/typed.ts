declare const fromSetup: string;
type Made = { a: number };
describe("typed", () => { it("runs", () => { const made: Made = { a: 1 }; if (made.a !== 1 || fromSetup !== "from setup") throw new Error("no") }) });
