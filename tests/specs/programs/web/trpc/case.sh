node a.ts 2>&1
