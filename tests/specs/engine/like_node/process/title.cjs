// process.title is readable and writable.
console.log(process.title.length > 0); process.title = 'abc'; console.log(process.title);