const a: number = "text";
function f(x: { y: string }) { return x.z }
f({ y: 1 });
