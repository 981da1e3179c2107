exec 2>&1
export NEXT_TELEMETRY_DISABLED=1
modules=$(readlink node_modules); rm node_modules
cp -al "$modules" node_modules 2>/dev/null || cp -a "$modules" node_modules # Turbopack follows no link out of the project
next build > built.txt 2>&1; echo "status $?"
grep -E '^[┌├└]' built.txt
node serve.mjs | grep -v 'next.config took'
echo 'export default function Page() { return <h1' > app/page.tsx
next build > failed.txt 2>&1; echo "status $?"
grep -c 'app/page.tsx' failed.txt | sed 's/[1-9].*/told/'
