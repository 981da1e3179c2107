exports.a = 1;
var a b;
