const spied = jest.spyOn(console, "log").mockImplementation(() => {});
test("spies", () => { console.log("x"); expect(spied).toHaveBeenCalledTimes(1) });
test("isolates", () => { let a, b; jest.isolateModules(() => { a = require("../lib/sum") }); jest.isolateModules(() => { b = require("../lib/sum") }); expect(a).not.toBe(b) });
