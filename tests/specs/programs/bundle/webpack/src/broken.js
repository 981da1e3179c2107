import gone from "./gone.js"; console.log(gone)
