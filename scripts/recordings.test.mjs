import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { cleaned, prepared } from "./lib/recordings.mjs";

const exchange = {
  api: "openai-chat",
  server: "api.openai.com",
  model: "gpt-5.5",
  method: "POST",
  path: "/v1/chat/completions?key=abcdefgh",
  request: {
    headers: { Authorization: "Bearer abcdefghijkl", "OpenAI-Beta": "x" },
    body: { messages: [{ role: "user", content: "I am ann@firm.example, in /home/ann/work" }] },
  },
  response: { status: 200, headers: { "set-cookie": "a", "retry-after": "1" }, body: { id: "c" } },
};

test.each([
  ["sk-proj-abcdefghijklmnopqrstuv", "[removed key]"],
  ["AIzaSyA1234567890123456789012345", "[removed key]"],
  ["org-abcdefghijklmnopqrstuv", "org-removed"],
  ["write to ann@firm.example.", "write to name@mail.example."],
  ["/Users/ann/x", "/Users/name/x"],
  ["plain text with a_name and 1234", "plain text with a_name and 1234"],
])("%s becomes %s", (given, expected) => expect(cleaned(given)).toBe(expected));

test("large data becomes a mark that is equal for equal data, and short data stays", () => {
  const [one, other] = ["A".repeat(800), "B".repeat(800)];
  expect(cleaned(one)).toBe(cleaned(one));
  expect(cleaned(one)).not.toBe(cleaned(other));
  expect(Buffer.from(cleaned(one), "base64").toString()).toMatch(/^\[removed 800 base64 characters, sha256 \w{16}\]$/);
  expect(cleaned("A".repeat(500))).toBe("A".repeat(500));
});

test.each([
  [{ ...exchange, model: undefined }, /Line 1 has no model/],
  [{ ...exchange, api: "soap" }, /has the api "soap"/],
  [{ ...exchange, response: { status: 200 } }, /response.body or response.stream/],
])("a line of another form is refused", (line, why) => {
  expect(() => prepared(JSON.stringify(line), new Set())).toThrow(why);
});

test("the command appends exchanges with new ids, without keys and names", () => {
  const folder = mkdtempSync(join(tmpdir(), "recordings-"));
  writeFileSync(join(folder, "given"), `${JSON.stringify(exchange)}\n`);
  const script = fileURLToPath(new URL("recordings.mjs", import.meta.url));
  const add = () => spawnSync(process.execPath, [script, "add", join(folder, "given"), folder], { encoding: "utf8" });
  expect(add().stdout).toBe("openai-chat-added-1\n");
  expect(add().stdout).toBe("openai-chat-added-2\n");
  const [line = ""] = readFileSync(join(folder, "openai-chat.added.jsonl"), "utf8").split("\n");
  expect(JSON.parse(line)).toEqual({
    ...exchange,
    id: "openai-chat-added-1",
    path: "/v1/chat/completions?key=[removed key]",
    request: {
      headers: { "openai-beta": "x" },
      body: { messages: [{ role: "user", content: "I am name@mail.example, in /home/name/work" }] },
    },
    response: { status: 200, headers: { "retry-after": "1" }, body: { id: "c" } },
  });
});
