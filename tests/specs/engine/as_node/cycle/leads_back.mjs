import "./evaluating.mjs";
