it.only("is the only one", () => {});
it("is not run", () => { throw new Error() });
