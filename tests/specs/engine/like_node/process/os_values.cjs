// The values of node:os that do not change between two processes.
const os = require('os');
const changing = ['cpus', 'freemem', 'loadavg', 'uptime', 'networkInterfaces', 'constants', 'setPriority'];
for (const name of Object.keys(os).filter((each) => !changing.includes(each)).sort()) {
  console.log(name, JSON.stringify(typeof os[name] === 'function' ? os[name]() : os[name]));
}
console.log(JSON.stringify(os.networkInterfaces()), os.cpus().length, os.loadavg().length, `${os.hostname}` === os.hostname());
console.log(JSON.stringify(os.constants.signals), JSON.stringify(os.constants.priority), os.constants.errno.ENOENT);
