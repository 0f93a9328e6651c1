import type { AgentRuntime } from "@bailiwick/core";
import type { Check } from "./check.ts";
import { failed } from "./check.ts";

/** Variables that hold the key of a vendor: one of them is enough. */
const keyVariables: Readonly<Record<string, readonly string[]>> = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  google: ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT"],
};

/** Checks the keys of an agent, its tool servers, and the declarations of its tools. */
export async function checkAgent(agent: AgentRuntime): Promise<readonly Check[]> {
  return [...modelKey(agent), ...ownKeys(agent), ...(await tools(agent))];
}

function modelKey({ name, definition }: AgentRuntime): readonly Check[] {
  const { model } = definition.options;
  if (typeof model === "string") return [];
  const { provider, modelId } = model;
  const variables = keyVariables[provider];
  if (variables === undefined) return [{ name: `model of ${name}`, status: "ok", text: `${provider}/${modelId}` }];
  const found = variables.find((variable) => (process.env[variable] ?? "") !== "");
  return [
    found === undefined
      ? {
          name: `model of ${name}`,
          status: "warn",
          text: `${provider}/${modelId}; ${variables.join(" and ")} are not set.`,
          fix: `Set ${variables[0] ?? ""}, unless the provider gets its key as an option.`,
        }
      : { name: `model of ${name}`, status: "ok", text: `${provider}/${modelId}; the key is in ${found}.` },
  ];
}

function ownKeys({ name, definition }: AgentRuntime): readonly Check[] {
  const { keys } = definition.options;
  if (!definition.store.durable) return [];
  return [
    keys?.sign === undefined
      ? {
          name: `keys of ${name}`,
          status: "warn",
          text: "Journals and approvals are not signed: anyone who can write to the store can change them.",
          fix: "Set keys: { sign } on the agent.",
        }
      : {
          name: `keys of ${name}`,
          status: "ok",
          text: `Journals and approvals are signed${keys.seal === undefined ? ", values are stored readable" : ", values are sealed"}.`,
        },
  ];
}

async function tools(agent: AgentRuntime): Promise<readonly Check[]> {
  const { name, definition } = agent;
  const servers = definition.registry.servers.length;
  try {
    const explained = await agent.explainTools();
    const open = explained.filter(({ declaration }) => declaration !== undefined);
    return [
      ...(servers === 0
        ? []
        : [{ name: `servers of ${name}`, status: "ok", text: `${servers} tool server(s) answered.` } as const]),
      open.length === 0
        ? { name: `tools of ${name}`, status: "ok", text: `${explained.length} tool(s), all declared.` }
        : {
            name: `tools of ${name}`,
            status: "warn",
            text: `The effect of ${open.map((tool) => tool.name).join(", ")} is guessed.`,
            fix: "Run bailiwick declare to see what to add.",
          },
    ];
  } catch (error) {
    return [failed(`tools of ${name}`, error, servers > 0 ? "Check that the tool servers run." : undefined)];
  }
}
