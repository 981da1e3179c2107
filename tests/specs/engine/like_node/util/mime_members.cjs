// No member of MIMEType and MIMEParams is enumerable.
const { MIMEType, MIMEParams } = require('node:util');

const type = new MIMEType('Image/PNG; a="b c"');
const names = [];
for (const name in type) names.push(name);
for (const name in type.params) names.push(name);
console.log(names.length, Object.keys(MIMEType.prototype).length, Object.keys(MIMEParams.prototype).length, String(type));
