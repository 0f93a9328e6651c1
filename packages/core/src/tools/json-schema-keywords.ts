// Loaded with the first value that `quickCheck` cannot decide.
export { Validator } from "@cfworker/json-schema";
