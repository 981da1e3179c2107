import { getOneMessage, sendMessage } from "execa"; const message = await getOneMessage(); await sendMessage({ got: message, args: process.argv.slice(2) }); console.log("child done");
