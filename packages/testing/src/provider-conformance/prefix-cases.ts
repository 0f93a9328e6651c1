import assert from "node:assert/strict";
import type { AssistantMessage, Message, ModelProvider } from "@bailiwick/core";
import { assert as check, asyncProperty } from "fast-check";
import { modelServer, type ModelServer } from "../model-server/index.ts";
import { aftermath, arbitraryRun, type RunPlan, type RunTurn } from "./arbitrary-run.ts";
import type { ConformanceCase, ConformanceSetup } from "./conformance-case.ts";
import { conformanceKey, lookUp, request, user } from "./conformance-tools.ts";

/** That no history is ever refused: random runs, each prefix of them sent to the strict server. */
export function prefixCases(setup: ConformanceSetup): readonly ConformanceCase[] {
  return [
    {
      name: "[providers.proof.every-prefix] field-bug:PB-orphan-history-05 every prefix of any run compiles to a request that the vendor takes",
      run: () =>
        check(
          asyncProperty(arbitraryRun, (plan) => neverRefused(setup, plan)),
          { numRuns: setup.traits.runs ?? 25 },
        ),
    },
  ];
}

async function neverRefused(setup: ConformanceSetup, plan: RunPlan): Promise<void> {
  let playing: RunTurn | undefined;
  await using server = await modelServer(
    ({ tools }) =>
      playing === undefined
        ? "Fine."
        : {
            // Nothing at all before the bound of output is how servers show that a request did not fit.
            text: playing.text || (playing.finish === undefined && mayBeEmpty(playing, setup) ? "" : "Once"),
            reasoning: playing.reasoning,
            toolCalls: playing.calls.map((text) => ({ name: tools[0]?.name ?? "", arguments: text || "{}" })),
            finish: playing.finish,
          },
    { keys: [conformanceKey], chatReasoning: setup.traits.chatReasoning },
  );
  const model = setup.createModel({ url: server.url, apiKey: conformanceKey, baseURL: server.baseURL });
  const messages: Message[] = [{ id: "system", role: "system", content: "Help." }, user("Begin.")];
  for (const [index, turn] of plan.turns.entries()) {
    playing = turn;
    const { message } = await ask(model, messages);
    const answer: AssistantMessage = turn.partial ? cutOff(message) : message;
    messages.push(answer, ...aftermath(answer, turn, index));
  }
  playing = undefined;
  for (let end = 1; end <= messages.length; end += 1) await accepted(model, server, messages.slice(0, end));
  const remaining = messages.filter((_, index) => !plan.lost.includes(index));
  for (let end = 1; end <= remaining.length; end += 1) await accepted(model, server, remaining.slice(0, end));
}

function mayBeEmpty({ calls }: RunTurn, { traits }: ConformanceSetup): boolean {
  return calls.length > 0 || traits.emptyAnswers !== false;
}

async function ask(
  model: ModelProvider,
  messages: readonly Message[],
): Promise<{ readonly message: AssistantMessage }> {
  return model.generate(request(model, messages, { tools: [lookUp] }));
}

async function accepted(model: ModelProvider, server: ModelServer, messages: readonly Message[]): Promise<void> {
  try {
    await ask(model, messages);
  } catch (error) {
    const last = server.requests.at(-1);
    assert.fail(`Refused by ${last?.refusedBy ?? "no rule"}: ${String(error)}\n${last?.text ?? ""}`);
  }
}

/** The answer as an abort leaves it: the second half of its parts never came. */
function cutOff(message: AssistantMessage): AssistantMessage {
  const content = message.content.slice(0, Math.ceil(message.content.length / 2));
  const kept = new Set(content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.filter(({ id }) => kept.has(id)),
    finishReason: "error",
    partial: true,
  };
}
