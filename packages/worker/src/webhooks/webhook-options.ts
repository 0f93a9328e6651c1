import { ConfigurationError, type RunStore } from "@bailiwick/core";
import { checkKnownNames, type Logger } from "@bailiwick/core/extension";
import { secretBytes } from "./sign-webhook.ts";
import type { WebhookEvent, WebhookEventType } from "./run-event.ts";

/** Options of `webhook` and `deliverWebhook`. */
export interface WebhookOptions {
  /** The store of the runs; it also stores the waiting events. */
  readonly store: RunStore;
  /**
   * Address that events are sent to, or a function that returns the address for an event; `undefined` skips the event.
   */
  readonly url: string | ((event: WebhookEvent) => string | undefined | Promise<string | undefined>);
  /**
   * The signing secret in the form of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. With several secrets
   * each message is signed with all of them, so that a secret can be rotated. A function returns the secrets for an
   * event, such as those of its tenant.
   */
  readonly secret:
    | string
    | readonly string[]
    | ((event: WebhookEvent) => string | readonly string[] | Promise<string | readonly string[]>);
  /** Names the webhook in its store; default `default`. Give each webhook of a store a name. */
  readonly name?: string | undefined;
  /** Kinds of events that are sent; default all. */
  readonly events?: readonly WebhookEventType[] | undefined;
  /** Hosts that may be requested although they are not public, as `127.0.0.1:4310` or `*.corp.example`. Default none. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Sends requests to `allowHosts`; default the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Time limit for an answer, in milliseconds; default 20,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Delays before the tries after the first one, in milliseconds, each with some jitter. Default 5 seconds, 5
   * minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours. An event that fails once more is dropped.
   */
  readonly retryMs?: readonly number[] | undefined;
  /** Interval between two searches for settled runs, in milliseconds; default 1,000. */
  readonly pollMs?: number | undefined;
  /** Called with each dropped event. */
  readonly onGivenUp?: ((event: WebhookEvent, error: Error) => void) | undefined;
  /** Receives warnings about notifications that were not delivered; default the console. */
  readonly logger?: Logger | undefined;
  /** Stops when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Checked options. */
export interface CheckedWebhook extends WebhookOptions {
  readonly name: string;
  readonly events: readonly WebhookEventType[];
  readonly timeoutMs: number;
  readonly retryMs: readonly number[];
  readonly pollMs: number;
  readonly logger: Logger;
}

const names: { readonly [Name in keyof Required<WebhookOptions>]: true } = {
  store: true,
  url: true,
  secret: true,
  name: true,
  events: true,
  allowHosts: true,
  fetch: true,
  timeoutMs: true,
  retryMs: true,
  pollMs: true,
  onGivenUp: true,
  logger: true,
  signal: true,
};

const eventTypes: readonly WebhookEventType[] = [
  "run.suspended",
  "run.completed",
  "run.stopped",
  "run.cancelled",
  "run.failed",
  "run.stuck",
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const defaultRetryMs: readonly number[] = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION` */
export function checkWebhook(options: WebhookOptions, where: string): CheckedWebhook {
  checkKnownNames(options, Object.keys(names), where);
  const { store, url, secret, name = "default", events = eventTypes } = options;
  const { timeoutMs = 20_000, retryMs = defaultRetryMs, pollMs = 1_000, logger = console } = options;
  const refuse = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${what}`);
  };
  if (typeof (store as Partial<RunStore> | undefined)?.listRuns !== "function")
    refuse(`"store" must be a run store, such as sqliteStore({ path }).`);
  if (typeof url !== "function" && !(typeof url === "string" && URL.canParse(url)))
    refuse(`"url" is an address, such as "https://example.com/hooks", or a function that gives one.`);
  if (typeof secret !== "function" && [secret].flat().length === 0)
    refuse(`"secret" is empty. Give a secret, so that the receiver can check who sends.`);
  if (typeof secret !== "function") for (const one of [secret].flat()) secretBytes(one, where);
  if (typeof name !== "string" || name === "") refuse(`"name" is a text, not empty.`);
  const wrong = events.find((type) => !eventTypes.includes(type));
  if (wrong !== undefined) refuse(`"events" holds "${wrong}". Kinds of events are ${eventTypes.join(", ")}.`);
  checkTimes({ timeoutMs, retryMs, pollMs }, refuse);
  return { ...options, name, events, timeoutMs, retryMs, pollMs, logger };
}

function checkTimes(
  { timeoutMs, retryMs, pollMs }: Pick<CheckedWebhook, "timeoutMs" | "retryMs" | "pollMs">,
  refuse: (what: string) => never,
): void {
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0)) refuse(`"timeoutMs" is a number of milliseconds, above 0.`);
  if (!(Number.isFinite(pollMs) && pollMs >= 10)) refuse(`"pollMs" is a number of milliseconds, 10 or more.`);
  if (!retryMs.every((ms) => Number.isFinite(ms) && ms >= 0))
    refuse(`"retryMs" is a list of milliseconds, each 0 or more.`);
}
