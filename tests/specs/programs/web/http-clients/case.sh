for program in ky wretch ofetch; do echo "$program"; node $program.mjs; done 2>&1
for program in superagent needle phin cross-fetch; do echo "$program"; node $program.cjs; done 2>&1
node agents.mjs 2>&1
