function used() { return 1 }
function unused() { return 2 }
console.log(used() ? "yes" : unused());
