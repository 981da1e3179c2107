exec 2>&1
for words in '--help' 'help build' 'build a b -v -v --port 81 --list x y -- --raw' 'build' 'build a --port x' 'build a --colour pink' 'biuld' '--version' 'build a --nope' 'sub deep -n' 'build a --no-cache --opt' 'fails' 'sub'; do echo "== $words"; PORT=70 node a.mjs $words; echo "status $?"; done
