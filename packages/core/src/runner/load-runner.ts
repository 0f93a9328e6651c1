import { ConfigurationError } from "../errors/configuration-errors.ts";
import { lazyPart, type LazyPart } from "../loading/lazy-part.ts";
import type * as RunOperations from "./run-operations.ts";

/** The part that runs agents. It loads with the first run, or with the first look at a stored one. */
export const runner: LazyPart<typeof RunOperations> = lazyPart("The runner", () => import("./run-operations.ts"));

/**
 * Does something with a stored run. Refuses a value that no run has as its id, such as the whole result of `run`.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function ofRun<Result>(
  runId: unknown,
  use: (part: typeof RunOperations) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (typeof runId === "string") return runner(use);
  throw new ConfigurationError(
    "INVALID_OPTION",
    `The id of a run is a text, such as result.runId; what was given is of the type ${typeof runId}.`,
  );
}
