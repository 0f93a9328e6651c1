import { Agent, type AgentOptions, type Extension, type ModelProvider } from "@bailiwick/agent";

/** Makes the agent. Tests pass a scripted model and no store, so their runs stay in memory. */
export function createCoder(
  model: ModelProvider,
  extensions: readonly Extension[],
  kept: Pick<AgentOptions, "store" | "session" | "flow"> = {},
): Agent {
  return new Agent({
    name: "coder",
    model,
    instructions: [
      "You are a careful programmer. Read the code before you change it, and keep changes small.",
      "Run the tests of the project before and after a change, if programs run here.",
      "When the work is done, call apply_changes, then say in a few sentences what you did.",
    ].join("\n"),
    extensions,
    maxTurns: 100,
    ...kept,
  });
}
