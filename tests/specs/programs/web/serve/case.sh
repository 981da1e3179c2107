exec 2>&1
export TMPDIR=$(mktemp -d) # where no earlier check for updates left what it found
set -o pipefail
serve --version
serve --help | head -12
node command_asked.mjs '/ /a.txt /about /about.html /dir /dir/ /dir/x.json /old /app/deep/path /none /a.txt@range=bytes%3D0-3 /../serve.json' serve --no-clipboard --no-port-switching -l tcp://127.0.0.1:PORT
node command_asked.mjs '/any/path /a.txt' serve -s site --cors --no-clipboard -L -l tcp://127.0.0.1:PORT
serve --nonsense 2>&1 | grep -o "[A-Za-z ]*option.*nonsense"
serve -l ftp://x 2>&1 | grep -o "Unknown.*"
true
