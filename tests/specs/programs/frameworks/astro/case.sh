exec 2>&1
export ASTRO_TELEMETRY_DISABLED=1
astro build --silent; echo "status $?"
sed -E 's/astro-cid-[a-z0-9]+/astro-cid/g' dist/index.html; echo
echo '{ nothing( }' > src/pages/wrong.astro
astro build > failed.txt 2>&1; echo "status $?"
grep -c 'wrong.astro' failed.txt | sed 's/[1-9].*/told/'
