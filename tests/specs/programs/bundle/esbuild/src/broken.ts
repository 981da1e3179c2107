import "./gone"; const = 1;
