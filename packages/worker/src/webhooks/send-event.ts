import { RunError } from "@bailiwick/core";
import { askUserCode, systemClock } from "@bailiwick/core/extension";
import { secretBytes, signedHeaders } from "./sign-webhook.ts";
import type { WebhookEvent } from "./run-event.ts";
import type { CheckedWebhook } from "./webhook-options.ts";

/** The result of one try. */
export type Sent =
  | { readonly accepted: true }
  /** With `final`, the receiver declared that it wants no more events. */
  | { readonly accepted: false; readonly error: Error; readonly final: boolean };

/** Sends one event, once. Redirects are not followed: the signature is for one receiver. */
export async function sendEvent(options: CheckedWebhook, id: string, event: WebhookEvent): Promise<Sent> {
  try {
    const { url: urlOption, secret, timeoutMs } = options;
    const url = typeof urlOption === "function" ? await answerOf("url", timeoutMs, () => urlOption(event)) : urlOption;
    if (url === undefined) return { accepted: true };
    const secrets = [
      typeof secret === "function" ? await answerOf("secret", timeoutMs, () => secret(event)) : secret,
    ].flat();
    const body = JSON.stringify(event);
    const keys = secrets.map((one) => secretBytes(one, `webhook "${options.name}"`));
    const headers = await signedHeaders(keys, id, Date.now(), body);
    const { guardedFetch } = await import("@bailiwick/security/net");
    const send = guardedFetch({ allowHosts: options.allowHosts, fetch: options.fetch });
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { method: "POST", headers, body, redirect: "manual", signal } as const;
    const response = await answerOf("fetch", timeoutMs, () => send(url, request));
    await response.body?.cancel();
    if (response.ok) return { accepted: true };
    return { accepted: false, final: response.status === 410, error: refusal(event, response.status) };
  } catch (thrown) {
    return { accepted: false, final: false, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

/** The answer of a function of the developer, which has the time of a request. */
async function answerOf<Value>(
  name: string,
  timeoutMs: number,
  call: () => Value | PromiseLike<Value>,
): Promise<Value> {
  const answer = await askUserCode(call, { name: `webhook.${name}`, timeoutMs, clock: systemClock });
  if (answer.ok) return answer.value;
  throw answer.error;
}

function refusal({ type, data }: WebhookEvent, status: number): RunError {
  return new RunError(
    "WEBHOOK_REFUSED",
    `The receiver of the webhook answered "${type}" of run "${data.runId}" with status ${status}. It has to answer with a status from 200 to 299.`,
    { runId: data.runId },
  );
}
