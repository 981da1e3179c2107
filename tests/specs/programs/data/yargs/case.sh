exec 2>&1
for words in '--help' 'serve --help' 'serve 80 --host a --host b -vvv --no-open --deep.er 1' 'serve' 'serve x --mode wrong' 'srve' '--version' 'add 1 2 3' 'serve 1 --unknown' '--get-yargs-completions s' 'completion'; do echo "== $words"; node a.mjs $words; echo "status $?"; done
