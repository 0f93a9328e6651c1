import { tellUserCode, checkArgument } from "@bailiwick/core/extension";
import { runEvent } from "./run-event.ts";
import { sendEvent } from "./send-event.ts";
import type { TakenEvent } from "@bailiwick/core";
import { webhookOutbox, type WebhookOutbox } from "./outbox.ts";
import { checkWebhook, type CheckedWebhook, type WebhookOptions } from "./webhook-options.ts";

/** Sends events until it is stopped. */
export interface Webhook extends AsyncDisposable {
  /** Events that wait to be sent, including those of other processes. */
  waiting(): Promise<number>;
  /** Stops searching, and waits for pending requests. Waiting events stay in the store. */
  stop(): Promise<void>;
}

/** Maximum number of parallel requests. */
const atOnce = 16;
/** Longest pause while the store cannot be reached, in milliseconds. */
const longestAwayMs = 15_000;

/**
 * Sends an event when a run suspends, ends or becomes stuck, in any process: signed as in Standard Webhooks, through
 * the guarded `fetch`, and retried until the receiver accepts it. Pending events are in the store, so a crash loses
 * no event; a receiver may get one twice, with the same `webhook-id`. Several processes may run the same webhook, and
 * share its events. The first start begins with the runs that settle from then on.
 *
 * @param options - The store, the receiver and its secret.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError `WEBHOOKS_UNSUPPORTED` for a store without sessions or without an outbox.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { webhook, type Webhook } from "@bailiwick/worker";
 *
 * export function tellTheShop(store: RunStore, secret: string): Webhook {
 *   return webhook({ store, secret, url: "https://shop.example/agents", events: ["run.suspended", "run.failed"] });
 * }
 * ```
 */
export function webhook(options: WebhookOptions): Webhook {
  checkArgument(options, "object", "webhook({ store, url, secret })");
  const checked = checkWebhook(options, "webhook()");
  const { store, pollMs, logger, signal } = checked;
  const outbox = webhookOutbox(store, checked.name, Date.now);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });

  async function loop(): Promise<void> {
    let awayMs = 0;
    while (!stopping.signal.aborted) {
      try {
        await pass(checked, outbox, stopping.signal);
        awayMs = 0;
      } catch (error) {
        if (awayMs === 0)
          logger.error(`The webhook "${checked.name}" cannot use the store "${store.name}". It keeps trying.`, {
            error,
          });
        awayMs = Math.min(Math.max(pollMs, awayMs * 2), longestAwayMs);
      }
      await pause(Math.max(pollMs, awayMs), stopping.signal);
    }
  }

  const looping = loop();
  const stopped = async (): Promise<void> => {
    stop();
    signal?.removeEventListener("abort", stop);
    await looping;
  };
  return {
    waiting: async () => (await outbox.waiting()).count,
    stop: stopped,
    [Symbol.asyncDispose]: stopped,
  };
}

/**
 * Sends the events that are due, once, and returns: for a platform's cron or a serverless function.
 *
 * @param options - Options of `webhook`.
 * @returns the number of waiting events, and when the next one is due, in milliseconds since the epoch.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError `WEBHOOKS_UNSUPPORTED` for a store without sessions or without an outbox, or if the store cannot be used.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { deliverWebhook } from "@bailiwick/worker";
 *
 * export async function everyMinute(store: RunStore, secret: string): Promise<number> {
 *   const { count } = await deliverWebhook({ store, secret, url: "https://shop.example/agents" });
 *   return count;
 * }
 * ```
 */
export async function deliverWebhook(
  options: WebhookOptions,
): Promise<{ readonly count: number; readonly nextAt: number | undefined }> {
  checkArgument(options, "object", "deliverWebhook({ store, url, secret })");
  const checked = checkWebhook(options, "deliverWebhook()");
  const outbox = webhookOutbox(checked.store, checked.name, Date.now);
  await pass(checked, outbox, options.signal ?? new AbortController().signal);
  return outbox.waiting();
}

/** Finds settled runs, and sends due events until none is left. */
async function pass(options: CheckedWebhook, outbox: WebhookOutbox, signal: AbortSignal): Promise<void> {
  await outbox.discover();
  while (!signal.aborted) {
    // Twice the time of a request: another process takes an event only when this one must be dead.
    const events = await outbox.take(atOnce, 2 * options.timeoutMs);
    if (events.length === 0) return;
    await Promise.all(events.map((event) => deliver(options, outbox, event)));
    await outbox.discover();
  }
}

async function deliver(options: CheckedWebhook, outbox: WebhookOutbox, pending: TakenEvent): Promise<void> {
  const event = await runEvent(options.store, pending.runId);
  // A run that is driven or deleted has no event; one that settled again has a later one.
  if (event === undefined || event.data.epoch !== pending.epoch || !options.events.includes(event.type)) {
    await outbox.settle(pending);
    return;
  }
  const sent = await sendEvent(options, pending.id, event);
  if (sent.accepted) {
    await outbox.settle(pending);
    return;
  }
  const retryMs = sent.final ? undefined : options.retryMs[pending.attempts - 1];
  if (retryMs !== undefined) {
    // The first failure is logged at once: the last one may come days later.
    if (pending.attempts === 1)
      options.logger.warn(
        `The webhook "${options.name}" could not deliver "${event.type}" of run "${event.data.runId}", and tries again: ${sent.error.message}`,
        { error: sent.error },
      );
    await outbox.settle(pending, retryMs * (0.9 + Math.random() * 0.2));
    return;
  }
  options.logger.error(
    `The webhook "${options.name}" gives up "${event.type}" of run "${event.data.runId}" after ${pending.attempts} tries: ${sent.error.message}`,
    { error: sent.error },
  );
  tellUserCode(
    () => options.onGivenUp?.(event, sent.error),
    (error) => options.logger.error("onGivenUp failed.", { error }),
  );
  await outbox.settle(pending);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
