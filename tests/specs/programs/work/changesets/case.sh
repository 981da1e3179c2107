exec 2>&1
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
echo node_modules > .gitignore; git init -q -b main .; git add .; git commit -qm one
changeset init; cat .changeset/config.json; sed -i 's/"access": "restricted"/"access": "public"/' .changeset/config.json
printf -- '---\n"a": minor\n---\n\nAdds a thing\n' > .changeset/nice-cats-run.md
git add .; git commit -qm two
changeset status; changeset version; cat packages/*/package.json packages/*/CHANGELOG.md | sed -E 's/[0-9a-f]{7}:/HASH:/'
git add .; git commit -qm three; changeset tag; git tag; changeset status --since main; echo "status $?"
changeset nothere; echo "status $?"
