import { expect, test } from "vitest";

import { namesContent, namesPayload } from "./guess-arguments.ts";
import { guessEffect, sharedPrefixes } from "./guess-effect.ts";
import { guessTool } from "./guess-tool.ts";
import { wordsOfName } from "./guess-words.ts";

test("the last word of a name decides if it is content; a destination's name never is [flow.guess.payload]", () => {
  expect(["body", "mailBody", "body_id", "id", "", "__", "url", "webhook_text", "text_url"].map(namesPayload)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    namesPayload("webhook_text"),
    false,
  ]);
});

test("an id or a path counts as content if another word of its name indicates content [flow.guess.payload]", () => {
  const of = (name: string, tool = "send"): boolean => namesContent(name, tool);
  expect(["file", "attachments", "file_id", "notePath", "messageKey"].map((name) => of(name))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
  expect(["id", "user_id", "file_size", "message", "", "path"].map((name) => of(name))).toEqual(
    Array.from({ length: 6 }, () => false),
  );
  expect([of("id", "forward_mail"), of("path", "share_document"), of("name", "share_document")]).toEqual([
    true,
    true,
    false,
  ]);
});

test('only "and" and "or" join two effects in a name [flow.guess.effect]', () => {
  const effectOf = (name: string, description = ""): string => guessEffect({ name, description }, new Set()).effect;
  expect(effectOf("get_or_list")).toBe("writer");
  expect(effectOf("get_and_list")).toBe("writer");
  expect(effectOf("get_orders")).toBe("reader");
});

test("a prefix that three tools share has up to three words, and is not the whole name [flow.guess.prefix]", () => {
  const shared = sharedPrefixes(["a_b_c_d_x", "a_b_c_d_y", "a_b_c_d_z", "get", "get", "getter"]);
  expect([...shared].toSorted()).toEqual(["a", "a b", "a b c"]);
  expect([...sharedPrefixes(["get_x", "get_y"])]).toEqual([]);
  expect([...sharedPrefixes(["get", "get_x", "get_y"])]).toEqual([]);
  const effectOf = (name: string, prefix: string): string =>
    guessEffect({ name, description: "" }, new Set([prefix])).effect;
  expect(effectOf("acme_search_mail", "acme")).toBe("reader");
  expect(effectOf("acme_north_eu_search_mail", "acme north eu")).toBe("reader");
  expect(effectOf("acme_north_eu_old_search_mail", "acme north eu old")).toBe("writer");
  expect(effectOf("acme_corp", "acme corp")).toBe("writer");
});

test("arguments are found in unions, references, lists and lists of objects, each at its path [flow.guess.payload]", () => {
  const schema = {
    type: "object",
    $defs: { Person: { type: "object", properties: { mail: { type: "string" }, boss: { $ref: "#/$defs/Person" } } } },
    properties: {
      to: { $ref: "#/$defs/Person" },
      also: { type: "array", items: { $ref: "#/$defs/Person" } },
      tags: { type: "array", items: { type: "string" } },
      body: { anyOf: [{ type: "string" }, { type: "object", properties: { html: { type: "string" } } }] },
    },
  };
  const guess = guessTool({
    name: "send",
    description: "",
    __inputJsonSchema: schema,
    __trustClass: "first-party",
  } as never);
  expect(guess.arguments.map(({ path, role }) => `${path} ${role}`)).toEqual([
    "to.mail decides",
    "also[].mail decides",
    "tags[] payload",
    "body payload",
    "body.html payload",
  ]);
  const dangling = guessTool({
    name: "send",
    description: "",
    __inputJsonSchema: { type: "object", properties: { to: { $ref: "#/$defs/Nobody" }, body: { type: "string" } } },
    __trustClass: "first-party",
  } as never);
  expect(dangling.arguments.map(({ path }) => path)).toEqual(["body"]);
  const flat = guessTool({
    name: "send",
    description: "",
    __inputJsonSchema: {},
    __trustClass: "first-party",
  } as never);
  expect(flat.arguments).toEqual([]);
});

test("a choice, a number or a boolean decides, under any name [flow.guess.payload]", () => {
  const guess = guessTool({
    name: "answer_invitation",
    description: "",
    __inputJsonSchema: {
      type: "object",
      properties: {
        reply: { type: "string", enum: ["accept", "decline"] },
        answer: { const: "yes" },
        review: { type: ["integer", "null"] },
        comment: { type: "boolean" },
        feedback: { anyOf: [{ enum: ["good", "bad"] }, { type: "null" }] },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        summary: { oneOf: [{ enum: ["none"] }, { type: "string" }] },
        tags: { type: "array" },
        data: {},
        purpose: { type: ["string", "null"] },
      },
    },
    __trustClass: "first-party",
  } as never);
  const of = (role: string): readonly string[] =>
    guess.arguments.filter((one) => one.role === role).map(({ path }) => path);
  expect(of("decides")).toEqual(["reply", "answer", "review", "comment", "feedback"]);
  expect(of("payload")).toEqual(["note", "summary", "tags", "data", "purpose"]);
});

test("a name is split at every sign, and empty words do not count [flow.guess.effect]", () => {
  expect(wordsOfName("__get-HTTPUser.byId ")).toEqual(["get", "http", "user", "by", "id"]);
});
