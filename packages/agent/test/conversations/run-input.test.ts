import type { RunInput } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { Agent } from "../../src/index.ts";
import { failureOf, quiet } from "../fixtures.test.helper.ts";

const agentOf = (model = scriptedModel([])): Agent => new Agent({ name: "reader", model, logger: quiet });

test("an input is text, parts, or one user message [seams.run-input]", async () => {
  const model = scriptedModel(() => "ok");
  const agent = agentOf(model);
  const inputs: readonly RunInput[] = [
    "hello",
    [{ type: "text", text: "hello" }],
    { id: "m1", role: "user", content: "hello" },
    [{ type: "image", data: new Uint8Array([1]), mimeType: "image/png" }],
  ];
  for (const input of inputs) await agent.run(input);
  expect(model.requests.map(({ messages }) => messages.at(-1)?.role)).toEqual(["user", "user", "user", "user"]);
  expect(model.requests[2]?.messages.at(-1)).toMatchObject({ id: "m1", content: "hello" });
});

const wrong: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /not undefined/],
  [null, /not null/],
  [5, /not 5/],
  [{}, /an object with no fields/],
  [{ role: "assistant", content: "hi" }, /one user message/],
  [{ role: "user" }, /content of an input/],
  [[{ role: "user", content: "hi" }], /Earlier messages go into "messages"/],
  [["hello"], /Part 0 of an input is hello/],
  [[{ type: "text" }], /an object with type: a part is/],
  [[{ type: "video", data: "x" }], /a part is text, an image, audio or a file/],
  [[{ type: "image" }], /with its text, data or url/],
];

test.each(wrong)(
  "any other input is refused before the model is asked: %j [seams.run-input]",
  async (input, message) => {
    const model = scriptedModel([]);
    const error = await failureOf(agentOf(model).run(input as RunInput));
    expect(error).toMatchObject({ code: "INVALID_INPUT" });
    expect((error as Error).message).toMatch(message);
    expect(model.requests).toHaveLength(0);
  },
);

test("invalid earlier messages are refused with an error about messages", async () => {
  expect(await failureOf(agentOf().run("go", { messages: [5 as never] }))).toMatchObject({ code: "INVALID_MESSAGE" });
});
