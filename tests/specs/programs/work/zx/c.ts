const said: string = (await $`echo typed`).stdout.trim(); console.log(said);
