var foo = 1;
let b = 2;
console.log(foo, b, undefinedName);
if (b == null) { debugger }
