import type { Message } from "../../contracts/message.ts";
import type { ModelRequest, ToolDefinition } from "../../contracts/model-provider.ts";
import { writePlain } from "../../journal/plain-values.ts";
import { beginsWith } from "../../history/provenance.ts";
import type { Run } from "../run.ts";

/** The conversation as hashed last, so that only new messages are hashed for the next turn. */
interface Chain {
  messages: readonly Message[];
  hash: string;
}

const chains = new WeakMap<Run, Chain>();
const toolHashes = new WeakMap<object, string>();

/**
 * Hash of a compiled request: of its settings, its tools, and the chain of its messages.
 *
 * @param messages - The messages of the request, in a list that no model can change.
 */
export function requestHash(run: Run, request: ModelRequest, messages: readonly Message[]): string {
  const settings = JSON.stringify({
    ...request,
    messages: undefined,
    tools: undefined,
    signal: undefined,
    apiKey: undefined,
    providerOptions: undefined,
  });
  const tools = request.tools === undefined ? "" : toolsHash(run, request.tools);
  return run.agent.hasher.sha256(`${settings}\n${tools}\n${chainHash(run, messages)}`);
}

function toolsHash({ agent }: Run, tools: readonly ToolDefinition[]): string {
  const known = toolHashes.get(tools);
  if (known !== undefined) return known;
  const hash = agent.hasher.sha256(JSON.stringify(tools));
  toolHashes.set(tools, hash);
  return hash;
}

function chainHash(run: Run, messages: readonly Message[]): string {
  let chain = chains.get(run);
  if (chain === undefined) chains.set(run, (chain = { messages: [], hash: "" }));
  const grew = beginsWith(messages, chain.messages);
  let hash = grew ? chain.hash : "";
  for (let index = grew ? chain.messages.length : 0; index < messages.length; index += 1)
    hash = run.agent.hasher.sha256(`${hash}\n${JSON.stringify(writePlain(messages[index]))}`);
  chain.messages = messages;
  chain.hash = hash;
  return hash;
}
