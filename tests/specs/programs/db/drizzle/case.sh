exec 2>&1
node a.mjs
drizzle-kit generate --name first | grep -E 'columns|SQL migration'
cat drizzle/*.sql; echo
drizzle-kit push | grep -c 'Changes applied'
drizzle-kit nothing > said.txt 2>&1; echo "status $?"
