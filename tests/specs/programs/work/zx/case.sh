exec 2>&1
zx --version; zx a.mjs arg --flag; echo "status $?"
echo 'console.log((await $`echo from stdin`).stdout.trim())' | zx
zx -e 'echo`x`' ; zx b.md; zx --quiet c.ts
