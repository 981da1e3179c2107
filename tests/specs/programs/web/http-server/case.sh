exec 2>&1
http-server --version
http-server --help | head -12
node command_asked.mjs '/ /a.txt /about /dir /dir/ /dir/x.json /none /a.txt@range=bytes%3D0-3 /a.txt@range=bytes%3D90-99 /%2e%2e/case.sh' http-server site -U -a 127.0.0.1 -p PORT --cors -c10
node command_asked.mjs '/ /a.txt@authorization=Basic%20dTpw' http-server site -U -a 127.0.0.1 -p PORT --username u --password p -s
node command_asked.mjs '/dir/ /about' http-server site -U -a 127.0.0.1 -p PORT -d false -e txt -c-1
