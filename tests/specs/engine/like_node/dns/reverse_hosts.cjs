// Reverse lookups find the names of /etc/hosts first; other addresses of no server fail.
const dns = require('node:dns');

const resolver = new dns.Resolver({ timeout: 50, tries: 1 });
resolver.setServers(['127.0.0.1:9']);
resolver.reverse('127.0.0.1', (error, names) => {
  console.log(error, JSON.stringify(names));
  resolver.reverse('10.9.8.7', (failure) => console.log(failure.code, failure.syscall));
});
