// An agent whose spans go to a span processor of Langfuse or Phoenix; bundled from the workspace's sources.
import { Agent, memoryStore, tool } from "../../../packages/agent/src/index.ts";
import { otel } from "../../../packages/otel/src/index.ts";
import { openai } from "../../../packages/providers-openai/src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const send = tool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: { type: "object" },
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "sent it",
});

/** Runs an agent that asks a person before it sends, with spans that go to a tracer provider. */
export async function trace(tracerProvider, baseURL, options) {
  const agent = new Agent({
    name: "clerk",
    model: openai("gpt-5-mini", { apiKey: "sk-test", baseURL }),
    instructions: "Be brief.",
    tools: [send],
    store: memoryStore(),
    telemetry: otel({ tracerProvider, ...options }),
    logger: quiet,
  });
  const waiting = await agent.run("Use send for order 1042.");
  return agent.resume(waiting.runId, [waiting.interruptions[0].approve()]);
}
