function add(first, second) { if (false) { console.log("dead") } return first + second } console.log(add(1, 2), `template ${add(3, 4)}`);
