import { agentTool, createAgentRuntime } from "@bailiwick/core";
import type { FlowOptions, ModelProvider, RunOutput, Tool } from "@bailiwick/core";
import { bitLeaker, hijackedModel, scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { security } from "../../security.ts";
import { made, readMail } from "../world.test.helper.ts";
import type { Ran } from "../world.test.helper.ts";
import { quiet } from "./play-attack.test.helper.ts";

/** Bits that the attacker writes into a mail. */
const payloads = fc.array(fc.constantFrom("0", "1"), { minLength: 200, maxLength: 200 }).map((bits) => bits.join(""));

/** The attacker controls the reading model too: it answers each question about its mail as asked. */
function accomplice(): ModelProvider {
  return scriptedModel(({ lastUserText }) => {
    const { question, value } = JSON.parse(lastUserText) as { readonly question: string; readonly value: string };
    const [from, to] = (/bits (\d+) to (\d+)/u.exec(question) ?? []).slice(1).map(Number);
    return JSON.stringify({ answer: Number.parseInt(value.slice(from, to), 2) });
  });
}

const reads = (ran: Ran): readonly Tool[] =>
  ["balance", "news"].map((name) =>
    made(ran, {
      name,
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      output: { integrity: "verified", readers: "public" },
    }),
  );

/** Bits that the model learned from readings, counted in the text that it read. */
function learned(outputs: readonly RunOutput[]): string {
  const messages = outputs.flatMap((output) => output.messages);
  const asked = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return messages
    .flatMap((message) => {
      if (message.role !== "tool" || message.toolName !== "extract" || message.isError === true) return [];
      const { answer } = JSON.parse(message.content as string) as { readonly answer: number };
      const { schema } = JSON.parse(asked.find(({ id }) => id === message.toolCallId)?.arguments ?? "") as {
        readonly schema: { readonly maximum: number };
      };
      return [answer.toString(2).padStart(Math.log2(schema.maximum + 1), "0")];
    })
    .join("");
}

/** Information for an observer of the two reads. */
const overheard = (ran: Ran): string =>
  ran.flatMap(({ name }) => (name === "balance" ? ["0"] : name === "news" ? ["1"] : [])).join("");

function leaking(payload: string, flow: FlowOptions, ran: Ran, name = "a"): ReturnType<typeof createAgentRuntime> {
  const model = hijackedModel({
    plan: [{ name: "read_mail" }],
    injections: ["$ref:t"],
    attack: [],
    strategy: "bit-leaker",
  });
  const tools = [readMail(ran, { result: payload }), ...reads(ran)];
  return createAgentRuntime(
    {
      name,
      model,
      tools,
      logger: quiet,
      maxTurns: 60,
      loopDetection: false,
      toolConcurrency: 1,
      flow: { planner: false, ...flow },
    },
    security(),
  );
}

test("extract reveals at most 64 bits, which can leak through the order of calls [proof.bit-leaker]", async () => {
  await fc.assert(
    fc.asyncProperty(payloads, async (payload) => {
      const ran: Ran = [];
      const output = await leaking(payload, { mode: "enforce", quarantine: { model: accomplice() } }, ran).run("Go.");
      const bits = learned([output]);
      // The attack works: the observer received what the attacker wrote.
      expect(payload.startsWith(bits)).toBe(true);
      expect(bits.length).toBeGreaterThanOrEqual(60);
      expect(bits.length).toBeLessThanOrEqual(64);
      // This is measured, not prevented: the order of calls carries a bit each.
      expect(overheard(ran)).toBe(bits);
      expect(output.interruptions).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("a lower bit limit reveals fewer bits [proof.bit-leaker]", async () => {
  const ran: Ran = [];
  const flow: FlowOptions = { mode: "enforce", quarantine: { model: accomplice(), bits: 8 } };
  const bits = learned([await leaking("10".repeat(100), flow, ran).run("Go.")]);
  expect(bits.length).toBeGreaterThanOrEqual(6);
  expect(bits.length).toBeLessThanOrEqual(8);
});

test("inner agents, sequential or concurrent, share the run's 64 bits [proof.bit-leaker]", async () => {
  const ran: Ran = [];
  const outputs: RunOutput[] = [];
  const ask = (name: string): Tool =>
    agentTool(leaking("01".repeat(100), { mode: "enforce", quarantine: { model: accomplice() } }, ran, name) as never, {
      name,
      toOutput: (output: RunOutput) => {
        outputs.push(output);
        return "done";
      },
    });
  const names = ["one", "two", "three"];
  const turns = [names.slice(0, 2), names.slice(2)].map((turn) => ({
    toolCalls: turn.map((name) => ({ name, arguments: { input: "Go." } })),
  }));
  const outer = createAgentRuntime(
    {
      name: "outer",
      model: scriptedModel([...turns, "Done."]),
      tools: names.map(ask),
      logger: quiet,
      flow: { mode: "enforce", planner: false },
    },
    security(),
  );
  await outer.run("Go.");
  expect(outputs).toHaveLength(3);
  const bits = outputs.map((output) => learned([output]).length);
  const sum = bits.reduce((total, each) => total + each, 0);
  expect(sum).toBeGreaterThanOrEqual(58);
  expect(sum).toBeLessThanOrEqual(64);
});

test("private data can leak through order and number of ungated calls, which is measured and not prevented [proof.bit-leaker]", async () => {
  const ran: Ran = [];
  const secret = "110100111001";
  const own = made(ran, {
    name: "own",
    inputSchema: z.object({ id: z.number() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    result: secret,
  });
  const leak = bitLeaker(secret);
  const model = scriptedModel((request) => {
    const toolCalls = request.turn === 0 ? [{ name: "own", arguments: { id: 1 } }] : leak(request);
    return toolCalls.length === 0 ? "Done." : { toolCalls };
  });
  const output = await createAgentRuntime(
    {
      name: "a",
      model,
      tools: [own, ...reads(ran)],
      logger: quiet,
      toolConcurrency: 1,
      flow: { mode: "enforce", planner: false },
    },
    security(),
  ).run("Go.");
  expect(output.interruptions).toEqual([]);
  expect(overheard(ran)).toBe(secret);
});
