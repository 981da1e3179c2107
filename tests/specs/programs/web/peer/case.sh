node a.mjs 2>&1
