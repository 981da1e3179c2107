node a.mjs 2>/dev/null
