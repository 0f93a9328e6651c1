import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ModelProvider, type ModelRequest } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai } from "@bailiwick/providers-openai";
import { cassette, CassetteError, collectChunks, finishedResponse, type Cassette } from "@bailiwick/testing";
import { modelServer, type ModelServer } from "@bailiwick/testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { look, result, user } from "./ask.fixture.ts";
import { google } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "cassettes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = "sk-of-the-account-0123456789";
type Make = (
  tape: Cassette,
  baseURL: (vendor: "openai" | "anthropic" | "google") => string,
  apiKey: string,
) => ModelProvider;
const wires: Readonly<Record<string, Make>> = {
  responses: (tape, at, apiKey) => openai("gpt-5.5", { apiKey, baseURL: at("openai"), fetch: tape.fetch }),
  chat: (tape, at, apiKey) => openai("gpt-5.5", { api: "chat", apiKey, baseURL: at("openai"), fetch: tape.fetch }),
  messages: (tape, at, apiKey) => anthropic("claude-opus-5", { apiKey, baseURL: at("anthropic"), fetch: tape.fetch }),
  generate: (tape, at, apiKey) => google("gemini-3-pro", { apiKey, baseURL: at("google"), fetch: tape.fetch }),
};
const script = [
  { toolCalls: [{ name: "look", arguments: { id: "ü" } }] },
  "Whole.",
  { toolCalls: [{ name: "look", arguments: { id: "1" } }] },
  "Streamed.",
] as const;
/** No server listens on this port. */
const nowhere = (vendor: string): string => `http://127.0.0.1:9${vendor === "openai" ? "/v1" : ""}`;

/** Two turns with a tool's result between them, whole and then streamed. */
async function converse(model: ModelProvider): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (const streamed of [false, true]) {
    const history: Message[] = [user("Look.")];
    for (let turn = 0; turn < 2; turn += 1) {
      const { messages } = compileHistory(history, historyTarget(model));
      const request: ModelRequest = { messages, tools: [look] };
      const { message } = streamed
        ? finishedResponse((await collectChunks(model.stream(request))).chunks)
        : await model.generate(request);
      seen.push(message.content.map((part) => (part.type === "text" ? part.text : part.type)));
      seen.push(message.toolCalls.map(({ name, input }) => [name, input]));
      history.push(message, ...message.toolCalls.map(({ id }) => result(id, "Seen.")));
    }
  }
  return seen;
}

describe.each(Object.entries(wires))("a cassette of %s [feature:X104]", (name, make) => {
  const path = join(folder, `${name}.json`);
  const at = (server: ModelServer) => (vendor: "openai" | "anthropic" | "google") => server.baseURL(vendor);

  let live: readonly unknown[];
  let refusals: readonly unknown[];

  beforeAll(async () => {
    await using server = await modelServer(script);
    await using tape = await cassette({ path, mode: "record" });
    live = await converse(make(tape, at(server), key));
    refusals = server.requests.map(({ refusedBy }) => refusedBy);
  });

  test("a recorded exchange is replayed without a server, streamed or not, and contains no key", async () => {
    expect(refusals).toEqual([undefined, undefined, undefined, undefined]);
    expect(live).toContainEqual(["Streamed."]);
    expect(readFileSync(path, "utf8")).not.toContain(key);
    await using tape = await cassette({ path });
    expect(await converse(make(tape, nowhere, "none"))).toEqual(live);
    expect(tape.unused).toEqual([]);
  });

  test("a request that was not recorded throws the cassette's own error, with the difference", async () => {
    await using tape = await cassette({ path });
    const model = make(tape, nowhere, "none");
    const request: ModelRequest = { messages: [user("Look elsewhere.")], tools: [look] };
    for (const error of [
      await model.generate(request).catch((thrown: unknown) => thrown),
      (await collectChunks(model.stream(request))).error,
    ]) {
      expect(error).toBeInstanceOf(CassetteError);
      expect((error as CassetteError).code).toBe("CASSETTE_MISMATCH");
      expect((error as CassetteError).differences.map(({ recorded, sent }) => [recorded, sent])).toEqual([
        ["Look.", "Look elsewhere."],
      ]);
    }
  });
});
