import { answerText } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { openaiOptions } from "../index.ts";
import { framed, listAt, replaying } from "../replay.fixture.ts";
import { user } from "./responses.fixture.ts";

const management = [{ type: "compaction", compact_threshold: 200_000 }];
const compaction = { id: "cmp_1", type: "compaction", encrypted_content: "gAAAA-opaque" };
const said = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Going on.", annotations: [] }],
};
const response = {
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "gpt-5.5",
  output: [compaction, said],
  usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
};
const events = [
  { type: "response.created", response: { ...response, output: [], status: "in_progress" } },
  ...[compaction, said].flatMap((item, index) => [
    { type: "response.output_item.added", output_index: index, item },
    { type: "response.output_item.done", output_index: index, item },
  ]),
  { type: "response.completed", response },
];
const options = { providerOptions: openaiOptions({ contextManagement: management }) };

test("compaction by the vendor is requested, and compacted content is sent back unchanged [feature:X042]", async () => {
  const whole = new TextEncoder().encode(JSON.stringify(response));
  for (const streamed of [false, true]) {
    const sent: unknown[] = [];
    const model = replaying("gpt-5.5", {}, streamed ? framed(events) : whole, {}, sent);
    const ask = { messages: [user("Hi")], ...options };
    const { message } = streamed
      ? finishedResponse((await collectChunks(model.stream(ask))).chunks)
      : await model.generate(ask);
    expect(answerText(message)).toBe("Going on.");
    const { messages } = compileHistory([user("Hi"), message, user("And?")], historyTarget(model));
    await collectChunks(model.stream({ messages, ...options }));
    expect(sent.map((body) => jsonAt(body, "context_management"))).toEqual([management, management]);
    expect(listAt(sent[1], "input").map(({ type }) => type)).toEqual(["message", "compaction", "message", "message"]);
    expect(jsonAt(sent[1], "input", 1)).toEqual(compaction);
  }
});

test("an API without compaction gives a warning [feature:X042]", async () => {
  const chat = replaying(
    "gpt-5.5",
    { api: "chat" },
    new TextEncoder().encode(
      JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] }),
    ),
  );
  const { warnings } = await chat.generate({ messages: [user("Hi")], ...options });
  expect(warnings).toMatchObject([{ code: "unsupported_setting", subject: "contextManagement" }]);
});
