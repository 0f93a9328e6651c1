import { createAgentRuntime, ModelError, type AgentRuntime, type ModelProvider, type RunStore } from "@bailiwick/core";

const refuse = (): never => {
  throw new ModelError("CLI_NEEDS_ENTRY", "This command looks at a store and has no model.", {
    provider: "none",
    model: "none",
    retryable: false,
  });
};

/** Replaces the model of an agent whose code is not available: its runs are read, never driven. */
const noModel: ModelProvider = {
  provider: "none",
  api: "none",
  modelId: "none",
  capabilities: {
    input: { image: false, audio: false, file: false },
    toolResultMedia: "none",
    toolCallId: {},
    toolName: { pattern: /^[\w.-]+$/, maxLength: 128 },
    replaysReasoning: false,
    systemAnywhere: true,
    structuredOutput: "none",
  },
  generate: refuse,
  stream: refuse,
};

/**
 * Makes a runtime that reads runs of an agent whose code is not available. A fork that it makes belongs to that
 * agent.
 */
export function viewer(store: RunStore, name: string): AgentRuntime {
  return createAgentRuntime({ name, model: noModel, store });
}
