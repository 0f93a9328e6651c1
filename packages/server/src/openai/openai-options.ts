import { checkKnownNames, ConfigurationError, type Interruption } from "@bailiwick/core";
import type { RunRoutesOptions } from "../http/run-routes-options.ts";
import { checkUploads } from "../http/uploads.ts";

/** Options of `openaiRoutes`. */
export interface OpenaiRoutesOptions extends Pick<
  RunRoutesOptions,
  | "agent"
  | "store"
  | "authorize"
  | "allowedOrigins"
  | "errorText"
  | "uploads"
  | "pollMs"
  | "maxBodyBytes"
  | "waitUntil"
  | "onError"
> {
  /**
   * The address of the page on which a person answers the run's questions; the answer to a suspended run contains it.
   */
  readonly questionUrl: (runId: string, questions: readonly Interruption[]) => string;
  /** The name of the model that clients ask for; default the agent's name. */
  readonly model?: string | undefined;
  /**
   * `"any"` answers requests for every model, with the name that the client asks for: stock clients ask for fixed names, for
   * example to find a title. Default: a request for another model is refused with 404.
   */
  readonly models?: "any" | undefined;
  /**
   * `"ignore"` runs the agent with its own tools when a client sends some, and leaves results of such tools out of the
   * conversation. Default `"refuse"`: a request with tools is refused with 400.
   */
  readonly tools?: "ignore" | "refuse" | undefined;
}

const optionNames: { readonly [Name in keyof Required<OpenaiRoutesOptions>]: true } = {
  agent: true,
  store: true,
  authorize: true,
  allowedOrigins: true,
  errorText: true,
  uploads: true,
  pollMs: true,
  maxBodyBytes: true,
  waitUntil: true,
  onError: true,
  questionUrl: true,
  model: true,
  models: true,
  tools: true,
};

/**
 * Refuses options when the routes are made.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkOpenaiOptions(options: OpenaiRoutesOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "openaiRoutes()");
  const given: Partial<OpenaiRoutesOptions> = options;
  const refuse = (why: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `openaiRoutes() ${why}.`);
  };
  if (typeof given.agent?.stream !== "function") refuse('needs an "agent"');
  if (typeof given.store?.getRun !== "function") refuse('needs the "store" that its agent was made with');
  if (typeof given.questionUrl !== "function")
    refuse('needs "questionUrl", a function of the run id that returns the address where a person answers');
  for (const name of ["authorize", "errorText", "waitUntil", "onError"] as const)
    if (given[name] !== undefined && typeof given[name] !== "function") refuse(`takes a function as "${name}"`);
  for (const name of ["pollMs", "maxBodyBytes"] as const) {
    const value = given[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      refuse(`takes a whole number above 0 as "${name}", not ${String(value)}`);
  }
  if (![undefined, "any"].includes(given.models))
    refuse(`takes "any" as "models", not ${JSON.stringify(given.models)}`);
  if (![undefined, "ignore", "refuse"].includes(given.tools))
    refuse(`takes "ignore" or "refuse" as "tools", not ${JSON.stringify(given.tools)}`);
  checkUploads(given.uploads);
}
