import { handoff, tool, type AgentOptions, type RunOutput, type Runnable } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { listeningLogger, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";
import { around } from "../inside.test.helper.ts";

const boom = (): never => {
  throw new Error("boom");
};

const note = tool({
  name: "note",
  description: "Notes.",
  inputSchema: z.object({}),
  sideEffectClass: "pure",
  execute: () => "noted",
});

/** Callbacks whose failure stops a run, by name. */
const stopping: Readonly<Record<string, Partial<AgentOptions>>> = {
  beforeLLMCall: { loopHooks: { beforeLLMCall: boom } },
  onRoundtripComplete: { loopHooks: { onRoundtripComplete: boom } },
  prepareStep: { prepareStep: boom },
  "beforeModel of an extension": { extensions: [{ name: "e", beforeModel: boom }] },
  "afterTurn of an extension": { extensions: [{ name: "e", afterTurn: boom }] },
  "beforeEnd of an extension": { extensions: [{ name: "e", beforeEnd: boom }] },
};

/** An agent that calls the other one in its first turn. */
const calling = (name: string, more: Partial<AgentOptions>): Agent =>
  new Agent({
    name: "outer",
    logger: quiet,
    model: scriptedModel([
      { toolCalls: [{ name, arguments: name.startsWith("transfer") ? {} : { input: "go" } }] },
      "Done.",
    ]),
    ...more,
  });
const ways: Readonly<Record<string, (inner: Agent) => Runnable>> = {
  "an agent as a tool": (inner) => calling("inner", { tools: [inner.asTool()] }),
  "a handoff": (inner) => calling("transfer_to_inner", { handoffs: [handoff(inner)] }),
  ...around,
};

for (const [way, outside] of Object.entries(ways))
  test.each(Object.entries(stopping))(
    `if %s stops a run inside ${way}, the outer run has the reason, and it is logged once [hooks.one-call.inside]`,
    async (_name, options) => {
      const logger = listeningLogger();
      const model = scriptedModel(({ toolResults }) =>
        toolResults.some(({ toolName }) => toolName === "note")
          ? "Inner done."
          : { toolCalls: [{ name: "note", arguments: {} }] },
      );
      const inner = new Agent({ name: "inner", logger, model, tools: [note], ...options });
      const ended = await outside(inner)
        .run("go")
        .catch(({ output }: { readonly output: RunOutput }) => output);
      expect(ended.toolCalls.map(({ error }) => error?.message).join(" ")).toMatch(
        /Agent "inner" stopped before it was done \(policy_denied\)\. .* failed: boom/u,
      );
      expect(logger.lines.filter((line) => line.includes("boom"))).toHaveLength(1);
    },
  );
