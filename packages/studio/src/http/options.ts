import {
  checkKnownNames,
  ConfigurationError,
  type MemoryStore,
  type ModelProvider,
  type RebuiltRequest,
  type RunStore,
  type ToolExplanation,
} from "@bailiwick/core";
import type { ServedAgent } from "@bailiwick/server";

/** An agent whose runs the studio shows and drives; every `Agent` is one. */
export interface StudioAgent extends ServedAgent {
  /** Returns for each tool how it is classified, and why. Without it, the tools page leaves the agent out. */
  explainTools?(): Promise<readonly ToolExplanation[]>;
  /**
   * Builds the request of a recorded model call again. Without it, the studio shows no requests.
   *
   * @param runId - Id of the run.
   * @param seq - Number of the record of the model call.
   */
  rebuildRequest?(runId: string, seq: number): Promise<RebuiltRequest>;
}

/** A store that the studio shows: any store of runs, with its memories if it has some. */
export interface StudioStore extends RunStore {
  /** Memories of the store. Without them, the studio has no memory page. */
  readonly memories?: MemoryStore | undefined;
}

/**
 * An action on the studio. `read` looks at runs; `decide` answers a question of a run; `operate` starts, forks, cancels,
 * retries and discards runs, and changes memories.
 */
export type StudioAction = "read" | "decide" | "operate";

/** A person who uses the studio. */
export interface StudioViewer {
  /** Journaled as `decidedBy` of each decision. */
  readonly userId?: string | undefined;
  /** The viewer sees only runs of this tenant; without one, only runs without a tenant. */
  readonly tenantId?: string | undefined;
  /** Shows the runs of every tenant. Leave out `tenantId` then. */
  readonly allTenants?: boolean | undefined;
}

/**
 * Returns the viewer of a request, or `null` to refuse.
 *
 * @param request - The HTTP request, with its headers.
 * @param access - What the request wants to do.
 */
export type StudioAuthorize = (
  request: Request,
  access: { readonly action: StudioAction },
) => StudioViewer | null | Promise<StudioViewer | null>;

/** Options of `studio`. */
export interface StudioOptions {
  /** The store whose runs the page shows. */
  readonly store: StudioStore;
  /** Agents of the store. Runs of other agents are shown, but can't be decided or continued. Default: none. */
  readonly agents?: readonly StudioAgent[] | undefined;
  /** Additional models of the playground, to compare their answers. Default: none. */
  readonly models?: readonly ModelProvider[] | undefined;
  /**
   * Module that exports the agents, as tests next to it import it, such as `./agents.ts`. Tests that the page saves
   * import it. Default `./agent.ts`.
   */
  readonly entry?: string | undefined;
  /**
   * Link back to your own pages, above the navigation: `{ url: "/", title: "Shop" }`. `url` is a path, or an `http:` or
   * `https:` address. Default: no link.
   */
  readonly home?: { readonly url: string; readonly title: string } | undefined;
  /**
   * Returns the viewer, or refuses. Default: only requests from this machine with the token are answered, and the
   * viewer sees every tenant.
   */
  readonly authorize?: StudioAuthorize | undefined;
  /** Token that a browser presents once, at least 16 characters; default random. Not together with `authorize`. */
  readonly token?: string | undefined;
  /** Called with errors that are not shown to the browser; default `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<StudioOptions>]: true } = {
  store: true,
  agents: true,
  models: true,
  entry: true,
  home: true,
  authorize: true,
  token: true,
  onError: true,
};

/** Minimum length of a token, in characters. */
const leastToken = 16;

/**
 * Refuses options that could not work.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `CONFLICTING_OPTIONS`
 */
export function checkStudioOptions(options: StudioOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "studio()");
  const refuse = (code: "INVALID_OPTION" | "CONFLICTING_OPTIONS", text: string): never => {
    throw new ConfigurationError(code, `studio() ${text}`);
  };
  const { store, agents = [], models = [], entry, home, authorize, token } = options;
  if (typeof store?.searchRuns !== "function") {
    refuse("INVALID_OPTION", `needs a "store" that can search runs, such as sqliteStore({ path: "runs.db" }).`);
  }
  const names = agents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse("INVALID_OPTION", `has two agents named "${twice}". Give each agent its own name.`);
  if (!models.every(({ provider, modelId, generate }) => provider && modelId && typeof generate === "function"))
    refuse("INVALID_OPTION", `needs "models" that are models of an adapter, such as [openai("gpt-5.5")].`);
  if (entry !== undefined && (typeof entry !== "string" || entry === ""))
    refuse("INVALID_OPTION", 'needs an "entry" that is the path of a module, such as "./agents.ts".');
  if (home !== undefined && !(isWebLink(home.url) && typeof home.title === "string" && home.title.trim() !== ""))
    refuse("INVALID_OPTION", 'needs a "home" with a title and a link to a page, such as { url: "/", title: "Shop" }.');
  if (authorize !== undefined && token !== undefined)
    refuse(
      "CONFLICTING_OPTIONS",
      `has both "authorize" and "token". Check the token in "authorize", or leave one out.`,
    );
  if (token !== undefined && (typeof token !== "string" || token.length < leastToken))
    refuse("INVALID_OPTION", `needs a "token" of at least ${leastToken} characters.`);
}

/** True for a path or an address that a browser opens as a page: `javascript:` and `data:` are not. */
function isWebLink(url: unknown): boolean {
  if (typeof url !== "string" || url === "" || !URL.canParse(url, "http://studio.example/")) return false;
  return ["http:", "https:"].includes(new URL(url, "http://studio.example/").protocol);
}
