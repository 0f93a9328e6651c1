import assert from "node:assert/strict";
import type { AssistantMessage, Message, ModelProvider } from "@bailiwick/core";
import { modelServer, type ModelServer } from "../model-server/index.ts";
import { aftermath, pixel, type RunPlan, type RunTurn } from "./arbitrary-run.ts";
import type { ConformanceTraits, CreateModel } from "./conformance-case.ts";
import { conformanceKey, lookUp, request } from "./conformance-tools.ts";

/** One of the models that share a run. */
export interface Player {
  readonly createModel: CreateModel;
  readonly traits: ConformanceTraits;
}

/**
 * Plays a run against one strict server, each turn by the next model, and then sends every prefix of it to each of
 * them: complete, and with messages lost.
 *
 * @param players - The models, in order of their turns.
 * @param plan - The run.
 * @throws AssertionError when a request is refused.
 */
export async function playRun(players: readonly Player[], plan: RunPlan): Promise<void> {
  let playing: RunTurn | undefined;
  const chatReasoning = players.map(({ traits }) => traits.chatReasoning).find((field) => field !== undefined);
  await using server = await modelServer(
    ({ tools }) =>
      playing === undefined
        ? "Fine."
        : {
            text: textOf(playing, players),
            reasoning: playing.reasoning,
            toolCalls: playing.calls.map((text) => ({ name: tools[0]?.name ?? "", arguments: text || "{}" })),
            finish: playing.finish,
          },
    { keys: [conformanceKey], chatReasoning },
  );
  const models = players.map(({ createModel }) =>
    createModel({ url: server.url, apiKey: conformanceKey, baseURL: server.baseURL }),
  );
  const messages: Message[] = [{ id: "system", role: "system", content: "Help." }, opening];
  for (const [index, turn] of plan.turns.entries()) {
    playing = turn;
    const model = models[index % models.length];
    assert.ok(model !== undefined, "there is a model");
    const message = await ask(model, server, messages);
    const answer: AssistantMessage = turn.partial ? cutOff(message) : message;
    messages.push(answer, ...aftermath(answer, turn, index));
  }
  playing = undefined;
  const remaining = messages.filter((_, index) => !plan.lost.includes(index));
  const histories = remaining.length === messages.length ? [messages] : [messages, remaining];
  for (const model of models) {
    for (const history of histories) {
      for (let end = 1; end <= history.length; end += 1) await ask(model, server, history.slice(0, end));
    }
  }
}

const opening: Message = {
  id: "opening",
  role: "user",
  content: [
    { type: "text", text: "Begin." },
    { type: "image", data: pixel, mimeType: "image/png" },
  ],
};

/** An empty answer is an error on some wires; before the output limit it means that a request did not fit. */
function textOf({ text, calls, finish }: RunTurn, players: readonly Player[]): string {
  const mayBeEmpty = calls.length > 0 || players.every(({ traits }) => traits.emptyAnswers !== false);
  return text || (finish === undefined && mayBeEmpty ? "" : "Once");
}

async function ask(model: ModelProvider, server: ModelServer, messages: readonly Message[]): Promise<AssistantMessage> {
  try {
    return (await model.generate(request(model, messages, { tools: [lookUp] }))).message;
  } catch (error) {
    const last = server.requests.at(-1);
    assert.fail(
      `${model.provider} ${model.modelId}: refused by ${last?.refusedBy ?? "no rule"}: ${String(error)}\n${last?.text ?? ""}`,
    );
  }
}

/** The answer after an abort: the second half of its parts is missing. */
function cutOff(message: AssistantMessage): AssistantMessage {
  const content = message.content.slice(0, Math.ceil(message.content.length / 2));
  const kept = new Set(content.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : [])));
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.filter(({ id }) => kept.has(id)),
    finishReason: "error",
    partial: true,
  };
}
