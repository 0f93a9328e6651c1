import type { Message } from "../../contracts/message.ts";
import type { ModelRequest } from "../../contracts/model-provider.ts";
import { beginsWith } from "../../history/provenance.ts";
import type { Run } from "../run.ts";

/** The conversation as hashed last, so that only new messages are hashed for the next turn. */
interface Chain {
  readonly messages: readonly Message[];
  readonly hash: string;
}

const chains = new WeakMap<Run, Chain>();
const toolHashes = new WeakMap<object, string>();

/** Hash of a compiled request: of its settings, its tools, and the chain of its messages. */
export function requestHash(run: Run, request: ModelRequest): string {
  const { hasher } = run.agent;
  const { messages, tools, signal: _signal, apiKey: _key, providerOptions: _options, ...settings } = request;
  let ofTools = "";
  if (tools !== undefined) {
    ofTools = toolHashes.get(tools) ?? hasher.sha256(JSON.stringify(tools));
    toolHashes.set(tools, ofTools);
  }
  return hasher.sha256(`${JSON.stringify(settings)}\n${ofTools}\n${chainHash(run, messages)}`);
}

function chainHash(run: Run, messages: readonly Message[]): string {
  const { hasher } = run.agent;
  const before = chains.get(run);
  const grew = before !== undefined && beginsWith(messages, before.messages);
  let hash = grew ? before.hash : "";
  for (const message of grew ? messages.slice(before.messages.length) : messages)
    hash = hasher.sha256(`${hash}\n${JSON.stringify(message)}`);
  chains.set(run, { messages, hash });
  return hash;
}
