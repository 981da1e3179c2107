export const fine = () => /a+b/u.test("aab");
