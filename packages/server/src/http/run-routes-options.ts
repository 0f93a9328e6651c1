import { checkKnownNames, ConfigurationError, type ErrorData } from "@bailiwick/core";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import type { Authorize, Share } from "./authorize.ts";
import type { ToRunInput } from "./chat-request.ts";
import { checkAgUiOptions, type AgUiOptions } from "./ag-ui-options.ts";
import { checkUploads, type UploadOptions } from "./uploads.ts";
import type { WaitUntil } from "./wait-until.ts";

/** Options of the routes. */
export interface RunRoutesOptions {
  /** The agent that the routes run. */
  readonly agent: ServedAgent;
  /** The agent's own store. */
  readonly store: ServedStore;
  /**
   * Returns the caller of a request, or refuses. Default: one caller without a name, and only requests to this machine's
   * own names are answered.
   */
  readonly authorize?: Authorize | undefined;
  /** Grants access to runs of other users of the tenant; default: none. Needs `authorize`. */
  readonly share?: Share | undefined;
  /**
   * Origins of web pages that may call, such as `https://app.example`, in addition to the host's own. Default: none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Makes a run's input from the page's request; default: for `useChat`. */
  readonly toRunInput?: ToRunInput | undefined;
  /**
   * Returns the text that clients get about a failed run; default: only its code, because messages may name internals.
   */
  readonly errorText?: ((error: ErrorData) => string) | undefined;
  /**
   * `true` shows the messages of failed tool calls. Default `false`: pages see their kind, and the journal has the
   * messages.
   */
  readonly exposeErrors?: boolean | undefined;
  /** Limits of the files in messages, and the trust in them. */
  readonly uploads?: UploadOptions | undefined;
  /** Rights of AG-UI clients to extend a run: tools of the page, and keys of the session's state. */
  readonly agUi?: AgUiOptions | undefined;
  /** Interval at which the journal of a run that another process drives is read, in milliseconds; default 500. */
  readonly pollMs?: number | undefined;
  /**
   * Maximum size of a body in bytes. Default: 1 MiB, and for routes that take messages also space for four files of
   * `uploads.maxBytes`, which is 44 MiB if `uploads` is not given.
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Keeps the host alive until a run ends, also after its response; default: the host's own function, on Cloudflare
   * Workers (pass `env` and `ctx` to `fetch`), Vercel, Netlify and Supabase. Not needed if processes outlive
   * requests.
   */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * `cancel`: a run is cancelled when its last client disconnects from `POST /chat`, `GET /chat/:id/stream` or `POST
   * /ag-ui` before it ends; reloading a page disconnects it. Default `continue`: the run continues, and is resumed or
   * stopped by its own routes.
   */
  readonly onDisconnect?: "continue" | "cancel" | undefined;
  /** Receives errors that clients do not see. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<RunRoutesOptions>]: true } = {
  agent: true,
  store: true,
  authorize: true,
  share: true,
  allowedOrigins: true,
  toRunInput: true,
  errorText: true,
  exposeErrors: true,
  uploads: true,
  agUi: true,
  pollMs: true,
  maxBodyBytes: true,
  waitUntil: true,
  onDisconnect: true,
  onError: true,
};

/**
 * Refuses invalid options at creation of the routes: without `store`, each request would fail.
 *
 * @param options - The caller's options.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkRunRoutesOptions(options: RunRoutesOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "runRoutes()");
  const given: Partial<RunRoutesOptions> = options;
  if (typeof given.agent?.stream !== "function") refuse(`needs an "agent"`);
  if (typeof given.store?.getRun !== "function") refuse(`needs the "store" that its agent was made with`);
  checkShare(given);
  checkUploads(given.uploads);
  checkAgUiOptions(given.agUi);
  if (given.exposeErrors !== undefined && typeof given.exposeErrors !== "boolean")
    refuse('takes true or false as "exposeErrors"');
  const wrong = (given.allowedOrigins ?? []).find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  if (wrong !== undefined)
    refuse(`takes origins as "allowedOrigins", such as "https://app.example" without a path, not "${wrong}"`);
  for (const name of ["authorize", "toRunInput", "errorText", "waitUntil", "onError"] as const) {
    if (given[name] !== undefined && typeof given[name] !== "function") refuse(`takes a function as "${name}"`);
  }
  if (given.onDisconnect !== undefined && given.onDisconnect !== "continue" && given.onDisconnect !== "cancel")
    refuse(`takes "continue" or "cancel" as "onDisconnect", not ${JSON.stringify(given.onDisconnect)}`);
  for (const name of ["pollMs", "maxBodyBytes"] as const) {
    const value = given[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      refuse(`takes a whole number above 0 as "${name}", not ${String(value)}`);
  }
}

const shareNames: { readonly [Name in keyof Required<Share>]: true } = {
  read: true,
  decide: true,
  continue: true,
  fork: true,
};

function checkShare({ share, authorize }: Partial<RunRoutesOptions>): void {
  if (share === undefined) return;
  checkKnownNames(share, Object.keys(shareNames), '"share" of runRoutes()');
  if (authorize === undefined)
    refuse(`takes "share" with "authorize" only: without it there is one caller, and no users`);
  for (const [name, rule] of Object.entries(share)) {
    if (rule !== undefined && typeof rule !== "function")
      refuse(`takes a function of the caller and the run as "share.${name}"`);
  }
}

function refuse(why: string): never {
  throw new ConfigurationError("INVALID_OPTION", `runRoutes() ${why}.`);
}
