node a.mjs 2>&1
node b.mjs 2>&1
