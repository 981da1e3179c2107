global.fromSetup = "from setup";
