exec 2>&1
export NUXT_TELEMETRY_DISABLED=1
nuxt build > built.txt 2>&1; echo "status $?"
grep -c 'Build complete' built.txt
node serve.mjs
