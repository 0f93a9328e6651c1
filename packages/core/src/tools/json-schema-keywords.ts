// Loaded with the first value that `quickCheck` is not sure of.
export { Validator } from "@cfworker/json-schema";
