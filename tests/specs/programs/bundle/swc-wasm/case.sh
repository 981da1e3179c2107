node a.cjs 2>&1
