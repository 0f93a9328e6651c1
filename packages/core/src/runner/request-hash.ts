import type { ModelRequest } from "../contracts/model-provider.ts";
import type { ActiveRun } from "./active-run.ts";

const digests = new WeakMap<object, string>();

/**
 * Hash of a compiled request. Messages and tool lists are hashed once each, so that a long run does no quadratic work.
 */
export function requestHash(run: ActiveRun, request: ModelRequest): string {
  const { hasher } = run.definition;
  const digest = (value: object): string => {
    let known = digests.get(value);
    if (known === undefined) digests.set(value, (known = hasher.sha256(JSON.stringify(value))));
    return known;
  };
  const { messages, tools, signal: _signal, apiKey: _key, providerOptions: _options, ...settings } = request;
  return hasher.sha256([JSON.stringify(settings), tools === undefined ? "" : digest(tools), ...messages.map(digest)].join("\n"));
}
