import { ScriptFaultError } from "./script-error.ts";
import { resolveStep, type ResolvedTurn } from "./resolved-turn.ts";
import type { Script } from "./script.ts";
import type { ScriptRequest } from "./script-request.ts";

/** Hands out a script's steps, one per request. */
export interface ScriptPlayer {
  /** Requests answered so far. */
  readonly turn: number;
  /** The text of the next listed step; `undefined` for a function, for a step that is not plain text, and after the last one. */
  readonly nextText: string | undefined;
  /**
   * The next answer.
   *
   * @param request - The request; its `turn` is set here.
   * @throws ScriptFaultError `SCRIPT_EXHAUSTED` if an array of steps is used up, `SCRIPT_INVALID` for a contradictory
   *   step.
   */
  next(request: ScriptRequest): Promise<ResolvedTurn>;
}

/**
 * Starts a script from its first step.
 *
 * @param script - Steps or a function.
 * @throws ScriptFaultError `SCRIPT_INVALID` if a listed step contradicts itself: wrong scripts fail before a test runs.
 */
export function playScript(script: Script): ScriptPlayer {
  const steps = typeof script === "function" ? undefined : script.map((step) => resolveStep(step));
  let turn = 0;
  return {
    get turn(): number {
      return turn;
    },
    get nextText(): string | undefined {
      const step = typeof script === "function" ? undefined : script[turn];
      return typeof step === "string" ? step : undefined;
    },
    async next(request: ScriptRequest): Promise<ResolvedTurn> {
      const index = turn;
      turn += 1;
      if (typeof script === "function") return resolveStep(await script({ ...request, turn: index }));
      const step = steps?.[index];
      if (step === undefined) {
        throw new ScriptFaultError(
          "SCRIPT_EXHAUSTED",
          `The script has ${script.length} step(s) and request ${index + 1} came: add a step, or end the run earlier. Last user text: ${JSON.stringify(request.lastUserText.slice(0, 200))}.`,
        );
      }
      return step;
    },
  };
}
