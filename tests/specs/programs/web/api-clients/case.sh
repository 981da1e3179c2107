for program in openai octokit gql stripe; do echo "$program"; node $program.mjs; done 2>&1
