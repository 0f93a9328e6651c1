import { RunError } from "@bailiwick/core";
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
    const limit = (): AbortSignal => AbortSignal.timeout(options.timeoutMs);
    const url = typeof options.url === "function" ? await inTime("url", options.url(event), limit()) : options.url;
    if (url === undefined) return { accepted: true };
    const { secret } = options;
    const secrets = [typeof secret === "function" ? await inTime("secret", secret(event), limit()) : secret].flat();
    const body = JSON.stringify(event);
    const keys = secrets.map((one) => secretBytes(one, `webhook "${options.name}"`));
    const headers = await signedHeaders(keys, id, Date.now(), body);
    const { guardedFetch } = await import("@bailiwick/security/net");
    const send = guardedFetch({ allowHosts: options.allowHosts, fetch: options.fetch });
    const signal = limit();
    const sent = send(url, { method: "POST", headers, body, redirect: "manual", signal });
    const response = await inTime("fetch", sent, signal);
    await response.body?.cancel();
    if (response.ok) return { accepted: true };
    return { accepted: false, final: response.status === 410, error: refusal(event, response.status) };
  } catch (thrown) {
    return { accepted: false, final: false, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

/** The answer of a function of the developer, which has the time of a request. */
function inTime<Value>(name: string, answer: Value | PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => reject(new RunError("HOOK_TIMEOUT", `"${name}" of the webhook did not settle within its timeoutMs.`)),
      { once: true },
    );
    Promise.resolve(answer).then(resolve, reject);
  });
}

function refusal({ type, data }: WebhookEvent, status: number): RunError {
  return new RunError(
    "WEBHOOK_REFUSED",
    `The receiver of the webhook answered "${type}" of run "${data.runId}" with status ${status}. It has to answer with a status from 200 to 299.`,
    { runId: data.runId },
  );
}
