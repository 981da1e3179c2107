exec 2>&1
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
calm() { sed -E 's/[0-9a-f]{7,}/HASH/g'; }
echo node_modules > .gitignore; git init -q -b main .; git add .; git commit -qm one
echo 'lower' > a.txt; echo 'x' > b.js; git add a.txt b.js; echo 'unstaged' >> b.js
lint-staged |& calm; echo "status ${PIPESTATUS[0]}"; git status --short; git show :a.txt; cat b.js
echo 'bad' > c.bad; git add c.bad; lint-staged --concurrent false |& calm; echo "status ${PIPESTATUS[0]}"; git status --short
git commit -qm two; lint-staged; echo "status $?"
