import { checkArgument, checkKnownNames, ConfigurationError } from "@bailiwick/core";
import { checkSimulation, type SimulationOptions } from "./options.ts";
import { simulationOf, type Simulation } from "./simulation-of.ts";
import { hasText, pageActions, type PageAction } from "./world/fault.ts";
import type { CheckedChat, PageKind } from "./page/page-kind.ts";

/** Options of `chatSimulation`. */
export interface ChatSimulationOptions extends Omit<SimulationOptions, "work" | "drive" | "processes"> {
  /** Kind of the page: `aiSdkPage(…)` or `agentClientPage(…)`. */
  readonly page: PageKind;
  /** Texts that the user sends. Each is followed by a number that makes it unique. Default `["Hello."]`. */
  readonly texts?: readonly string[] | undefined;
  /** Number of tabs with the same chat. Default 2. */
  readonly tabs?: number | undefined;
  /** Actions of each tab. Default 8. */
  readonly steps?: number | undefined;
  /** Actions that the user takes. Default: all. */
  readonly actions?: readonly PageAction[] | undefined;
  /** Path at which `fetch` of the application serves the routes. Default `/api`. */
  readonly api?: string | undefined;
}

/** Members that a simulation without a chat does not have. */
const own: { readonly [Name in Exclude<keyof Required<ChatSimulationOptions>, keyof SimulationOptions>]: true } = {
  page: true,
  texts: true,
  tabs: true,
  steps: true,
  actions: true,
  api: true,
};

const shared: { readonly [Name in keyof Required<Omit<SimulationOptions, "work" | "drive" | "processes">>]: true } = {
  app: true,
  receivers: true,
  store: true,
  people: true,
  faults: true,
  explore: true,
  also: true,
  accept: true,
  known: true,
};

/**
 * Defines a simulation of a chat: users in browser tabs send, edit, regenerate, stop, decide and reload, over the routes
 * that `fetch` of the application serves. Requests are lost or late, and streams are cut. Actions of users are choice
 * points as faults are, so a broken history is shortened to the shortest list of actions.
 *
 * Faults are those of the network between the pages and the server; `simulation` plays those of the server itself. At the
 * end faults stop; the user of each tab retries what failed and sends one more message. Then the page shows what the model
 * read, each message that the model read is in a branch of the chat, each effect is in view, no page stays in an error,
 * and requests have not grown. The agents' models have to be `simulatedModel`, which tells what the model read.
 *
 * @param options - The application, the page, and what its users do.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws SimulationError `SIMULATION_LATE`, `HISTORY_INVALID`
 * @example
 * ```ts
 * import { chatSimulation, simulate, type PageKind, type StartApp } from "@bailiwick/testing/simulation";
 *
 * export async function check(app: StartApp, page: PageKind): Promise<void> {
 *   const { broken, text } = await simulate(chatSimulation({ app, page, texts: ["Hello.", "Pay 5."] }), { seeds: 40 });
 *   if (broken.length > 0) throw new Error(text);
 * }
 * ```
 */
export function chatSimulation(options: ChatSimulationOptions): Simulation {
  checkArgument(options, "object", "chatSimulation() with { app, page }");
  checkKnownNames(options, Object.keys({ ...own, ...shared }), "chatSimulation()");
  const { page, texts = ["Hello."], tabs = 2, steps = 8, actions = pageActions, api = "/api", ...rest } = options;
  const invalid = (what: string): ConfigurationError =>
    new ConfigurationError("INVALID_OPTION", `chatSimulation(): ${what}`);
  if (typeof (page as Partial<PageKind> | undefined)?.open !== "function")
    throw invalid(`"page" must be a kind of page: aiSdkPage({ AbstractChat, DefaultChatTransport }).`);
  for (const [name, count] of Object.entries({ tabs, steps }))
    if (!Number.isInteger(count) || count < 1) throw invalid(`"${name}" must be a whole number from 1.`);
  if (!Array.isArray(texts) || texts.length === 0) throw invalid(`"texts" must be a list of texts.`);
  for (const action of actions)
    if (!pageActions.includes(action))
      throw invalid(`"${action}" is not an action. The actions are ${pageActions.join(", ")}.`);
  const chat: CheckedChat = { page, texts, tabs, steps, actions, api };
  const simulated: SimulationOptions = { ...rest, work: async () => undefined };
  const checked = checkSimulation(simulated);
  const numbers = texts.map((_, index) => index);
  const durations = {
    ...checked.durations,
    ...Object.fromEntries(actions.map((action) => [action, hasText(action) ? numbers : [0]])),
  };
  return simulationOf(simulated, { ...checked, durations, chat });
}
