import type { ScriptRequest } from "./script-request.ts";
import type { ScriptStep } from "./script-step.ts";

/**
 * Answers every model request with the step it returns. Runs once per request, in arrival order.
 *
 * @param request - The agent's request, in wire-neutral form.
 */
export type ScriptFunction = (request: ScriptRequest) => ScriptStep | string | Promise<ScriptStep | string>;

/**
 * The answers of a scripted model: steps that are used up one per request, or a function that decides from the
 * request.
 *
 * One script plays on every wire of `modelServer` and in process, so a test is written once.
 *
 * A string is short for `{ text }`. An array that is used up fails the next request with `SCRIPT_EXHAUSTED`.
 */
export type Script = readonly (ScriptStep | string)[] | ScriptFunction;
