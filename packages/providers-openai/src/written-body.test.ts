import type { Message } from "@bailiwick/core";
import { modelServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { look, user } from "./ask.fixture.ts";
import { openai } from "./index.ts";
import { writeBody } from "./written-body.ts";

test("a body equals the JSON of its members, and newly written members replace earlier ones", () => {
  const member = fc.dictionary(fc.string({ unit: "grapheme-ascii" }), fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(member, fc.jsonValue(), fc.jsonValue(), (fields, messages, tools) => {
      const text = writeBody(fields, { messages: JSON.stringify(messages), tools: JSON.stringify(tools) });
      const expected = JSON.stringify({ messages, tools, ...fields });
      expect(JSON.parse(text)).toEqual(JSON.parse(expected));
    }),
  );
});

for (const api of ["chat", "responses"] as const) {
  const list = api === "chat" ? "messages" : "input";

  test(`${api}: a growing conversation is sent with the same beginning [providers.rule.caching]`, async () => {
    await using server = await modelServer([{ text: "one" }, { text: "two" }]);
    const model = openai("gpt-4.1", { api, apiKey: "test", baseURL: server.baseURL("openai") });
    const first: Message[] = [{ id: "s", role: "system", content: "Be brief." }, user("Hi")];
    const tools = [look];
    const { message } = await model.generate({ messages: first, tools });
    await model.generate({ messages: [...first, message, user("And now?")], tools });
    const [before, after] = server.requests.map(({ body }) => body as Readonly<Record<string, readonly unknown[]>>);
    expect(after?.["tools"]).toEqual(before?.["tools"]);
    expect(after?.[list]).toHaveLength(4);
    expect(after?.[list]?.slice(0, 2)).toEqual(before?.[list]);
  });

  test(`${api}: extraBody replaces any sent field, including messages and tools`, async () => {
    await using server = await modelServer([{ text: "ok" }], { strict: false });
    const model = openai("gpt-4.1", { api, apiKey: "test", baseURL: server.baseURL("openai") });
    const own = { [list]: [{ role: "user", content: "Something else" }], tools: [], model: "other" };
    await model.generate({ messages: [user("Hi")], tools: [look], providerOptions: { openai: { extraBody: own } } });
    expect(server.requests[0]?.body).toMatchObject(own);
  });
}
