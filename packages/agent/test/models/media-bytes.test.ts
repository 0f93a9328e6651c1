import { Buffer } from "node:buffer";
import { memoryStore, tool, toolReturn, type Message } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { modelServer } from "@bailiwick/testing/model-server";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** Operations on bytes: written as JSON, which makes a member of each byte, or converted to base64. */
const seen = { asJson: 0, asBase64: 0 };
const names = ["toJSON", "toBase64"] as const;
const ofBytes: object = Uint8Array.prototype;
const native = names.map((name) => Object.getOwnPropertyDescriptor(ofBytes, name));

function watchBytes(): void {
  Object.assign(seen, { asJson: 0, asBase64: 0 });
  const toJSON = (): string => {
    seen.asJson += 1;
    return "";
  };
  const toBase64 = function (this: Uint8Array): string {
    seen.asBase64 += 1;
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString("base64");
  };
  for (const [name, value] of Object.entries({ toJSON, toBase64 }))
    Object.defineProperty(ofBytes, name, { value, configurable: true, writable: true });
}

afterEach(() => {
  for (const [index, name] of names.entries()) {
    const own = native[index];
    if (own === undefined) Reflect.deleteProperty(ofBytes, name);
    else Object.defineProperty(ofBytes, name, own);
  }
});

/** A photo of 40 kB; each has other bytes. */
function photo(seed: number): Uint8Array {
  const bytes = new Uint8Array(40_000).map((_, index) => (index * seed) % 251);
  bytes.set([0xff, 0xd8, 0xff]);
  return bytes;
}

const image = (seed: number) => ({ type: "image", data: photo(seed), mimeType: "image/jpeg" }) as const;
const base64 = (seed: number): string => Buffer.from(photo(seed)).toString("base64");

test.each(["chat", "responses"] as const)(
  "bytes of a message become base64 once, and are never written as JSON (%s) [messages.content-part.bytes]",
  async (api) => {
    await using server = await modelServer([
      { toolCalls: [{ name: "look", arguments: {} }] },
      "Seen.",
      "Seen again.",
      "And again.",
    ]);
    const look = tool({
      name: "look",
      description: "Takes a photo.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      output: { integrity: "verified", readers: "public" },
      execute: () => toolReturn({ output: "A photo.", contentParts: [image(3)] }),
    });
    const store = memoryStore();
    const agent = new Agent({
      name: "a",
      logger: quiet,
      store,
      session: store.sessions,
      tools: [look],
      model: openai("gpt-5.5", { apiKey: "k", baseURL: server.baseURL("openai"), api }),
    });
    const earlier: Message = { id: "m", role: "user", content: [image(5)] };
    watchBytes();
    await agent.run([{ type: "text", text: "What is it?" }, image(7)], { messages: [earlier], sessionId: "s" });
    // One for each part with bytes, however many requests have it.
    expect(seen).toEqual({ asJson: 0, asBase64: 3 });
    await agent.run({ id: "n", role: "user", content: [image(11)] }, { sessionId: "s" });
    expect(seen).toEqual({ asJson: 0, asBase64: 4 });
    await agent.run("And now?", { sessionId: "s" });
    expect(seen).toEqual({ asJson: 0, asBase64: 4 });
    const last = JSON.stringify(server.requests.at(-1)?.body);
    for (const seed of [3, 7, 11]) expect(last).toContain(base64(seed));
  },
);
