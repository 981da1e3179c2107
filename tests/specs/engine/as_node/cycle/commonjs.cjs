require("./to_other.mjs");
