exec 2>&1
node drive.cjs
