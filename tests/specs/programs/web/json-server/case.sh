json-server --version
node ask.mjs
