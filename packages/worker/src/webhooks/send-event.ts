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
    const url = typeof options.url === "function" ? await options.url(event) : options.url;
    if (url === undefined) return { accepted: true };
    const { secret } = options;
    const secrets = [typeof secret === "function" ? await secret(event) : secret].flat();
    const body = JSON.stringify(event);
    const keys = secrets.map((one) => secretBytes(one, `webhook "${options.name}"`));
    const headers = await signedHeaders(keys, id, Date.now(), body);
    const { guardedFetch } = await import("@bailiwick/security/net");
    const send = guardedFetch({ allowHosts: options.allowHosts, fetch: options.fetch });
    const signal = AbortSignal.timeout(options.timeoutMs);
    const response = await send(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    if (response.ok) return { accepted: true };
    return { accepted: false, final: response.status === 410, error: refusal(event, response.status) };
  } catch (thrown) {
    return { accepted: false, final: false, error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

function refusal({ type, data }: WebhookEvent, status: number): RunError {
  return new RunError(
    "WEBHOOK_REFUSED",
    `The receiver of the webhook answered "${type}" of run "${data.runId}" with status ${status}. It has to answer with a status from 200 to 299.`,
    { runId: data.runId },
  );
}
