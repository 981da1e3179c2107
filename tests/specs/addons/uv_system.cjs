const os = require('node:os');
const show = require('./show.cjs');
const addon = require('./uv_system.node');

const known = { os_gethostname: os.hostname(), os_homedir: os.homedir(), os_tmpdir: os.tmpdir(), cwd: process.cwd() };
for (const [name, text] of Object.entries(known)) {
  for (const size of [4096, text.length + 1, text.length, 0]) {
    const [status, length, reported] = addon[name](size);
    show(name, status, size === 0 ? length : length - text.length, reported === text);
  }
}
show(addon.variables());
const [pid, parent, ...rest] = addon.facts();
show(pid === process.pid, parent === process.ppid, rest);
show(addon.libraries());
