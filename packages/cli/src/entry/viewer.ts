import { createAgentRuntime, ModelError, type AgentRuntime, type ModelProvider, type RunStore } from "@bailiwick/core";

const refuse = (): never => {
  throw new ModelError("CLI_NEEDS_ENTRY", "This command looks at a store and has no model.", {
    provider: "none",
    model: "none",
    retryable: false,
  });
};

/** Stands in for the model of an agent whose code is not here: runs are read with it, never driven. */
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

/** Makes a runtime that reads runs of a store whose agents are not at hand. */
export function viewer(store: RunStore): AgentRuntime {
  return createAgentRuntime({ name: "bailiwick", model: noModel, store });
}
