import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { memorySessions, memoryStore, tool, type ContentPart } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { downloadFile } from "@bailiwick/security/net";
import { modelServer, type ModelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, type AgentOptions } from "../../src/index.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const picture: Answer = (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(png);

/** Files by path, and a `fetch` under which `https://files.example` is this server. */
async function fileServer(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    (answers[request.url ?? ""] ?? ((_request, missing) => missing.writeHead(404).end("no")))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const fetchPublic: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.host !== "files.example") throw new TypeError(`Not reachable in this test: ${url.host}`);
    return fetch(`http://127.0.0.1:${port}${url.pathname}`, init);
  };
  return {
    asked,
    fetchPublic,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

const image = (path: string, more: Partial<ContentPart> = {}): ContentPart =>
  ({ type: "image", url: `https://files.example${path}`, ...more }) as ContentPart;

const ollama = (server: ModelServer, more: Parameters<typeof openai>[1] = {}) =>
  openai("llava", { compat: "ollama", apiKey: "k", baseURL: server.baseURL("openai"), ...more });

const sentTo = (server: ModelServer, index: number): string => JSON.stringify(server.requests[index]?.body);
const inlined = `data:image/png;base64,${png.toString("base64")}`;

function agentOf(server: ModelServer, fetchPublic: typeof fetch | undefined, more: Partial<AgentOptions> = {}) {
  const options: AgentOptions = { name: "viewer", model: ollama(server), logger: quiet, ...more };
  return fetchPublic === undefined
    ? new Agent(options)
    : new Agent(options, { download: (url, signal) => downloadFile(url, { signal, fetch: fetchPublic }) });
}

test("An image URL is downloaded for a server that does not fetch URLs, and its bytes are journaled [providers.rule.images.download]", async () => {
  await using files = await fileServer({ "/a.png": picture });
  await using server = await modelServer(["A dot.", "Still a dot."]);
  const store = memoryStore();
  const session = memorySessions();
  const agent = agentOf(server, files.fetchPublic, { store, session });
  const first = await agent.run([{ type: "text", text: "Look" }, image("/a.png"), image("/a.png")], { sessionId: "s" });
  expect(sentTo(server, 0).split(inlined)).toHaveLength(3);
  expect(first.warnings).toEqual([]);
  const { events } = await agent.inspect(first.runId);
  expect(events.filter(({ type }) => type === "media.fetched")).toMatchObject([
    { url: "https://files.example/a.png", mimeType: "image/png", data: png.toString("base64") },
  ]);

  // The next run of the session has the bytes, and downloads nothing.
  await agent.run("And now?", { sessionId: "s" });
  expect(sentTo(server, 1)).toContain(inlined);
  expect(files.asked).toEqual(["/a.png"]);

  // The request is the same if it is rebuilt in another place, where nothing can be fetched.
  const elsewhere = agentOf(server, undefined, { store, session });
  const intent = events.find(({ type }) => type === "model.intent");
  const rebuilt = await elsewhere.rebuildRequest(first.runId, intent?.seq ?? 0);
  expect(rebuilt.hash).toBe(rebuilt.recordedHash);
});

test("A resumed run and a fork send the downloaded bytes without downloading again [providers.rule.images.download.once]", async () => {
  await using files = await fileServer({ "/a.png": picture });
  await using server = await modelServer([
    { toolCalls: [{ name: "publish", arguments: {} }] },
    "Published.",
    "Published again.",
  ]);
  const publish = tool({
    name: "publish",
    description: "Publishes.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: () => "done",
  });
  const agent = agentOf(server, files.fetchPublic, { store: memoryStore(), tools: [publish] });
  const waiting = await agent.run([{ type: "text", text: "Publish it" }, image("/a.png")]);
  const { head } = (await agent.inspect(waiting.runId)).run;
  const fork = await agent.fork(waiting.runId, { atSeq: head.seq });
  for (const runId of [waiting.runId, fork.runId]) {
    const [asked] = await agent.interruptions(runId);
    await agent.resume(runId, asked === undefined ? [] : [asked.approve()]);
  }
  expect(server.requests).toHaveLength(3);
  for (const index of [0, 1, 2]) expect(sentTo(server, index)).toContain(inlined);
  expect(files.asked).toEqual(["/a.png"]);
});

const refused: readonly (readonly [name: string, path: string, answer: Answer, says: RegExp])[] = [
  ["a missing file", "/gone.png", (_request, response) => response.writeHead(404).end(), /answered 404/],
  [
    "a page in place of an image",
    "/page.png",
    (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html></html>"),
    /not an image but text\/html/,
  ],
  [
    "a file that says it is too long",
    "/long.png",
    (_request, response) => response.writeHead(200, { "content-length": "20000001" }).end(png),
    /longer than 20 MB/,
  ],
  [
    "a file that is too long without saying so",
    "/endless.png",
    (_request, response) => {
      response.writeHead(200, { "content-type": "image/png" });
      for (let sent = 0; sent <= 20; sent += 1) response.write(Buffer.alloc(1_000_000, 1));
      response.end();
    },
    /longer than 20 MB/,
  ],
  [
    "a redirect away from https",
    "/moved.png",
    (_request, response) => response.writeHead(302, { location: "http://files.example/a.png" }).end(),
    /does not use https/,
  ],
  [
    "redirects without an end",
    "/loop.png",
    (_request, response) => response.writeHead(302, { location: "/loop.png" }).end(),
    /redirected more than 3 times/,
  ],
  ["an empty file", "/empty.png", (_request, response) => response.writeHead(200).end(), /it is empty/],
];

test.each(refused)(
  "%s becomes a text that names the file, with a warning, and is requested once [providers.rule.images.download.refused]",
  async (_name, path, answer, says) => {
    await using files = await fileServer({ [path]: answer });
    await using server = await modelServer([{ toolCalls: [{ name: "note", arguments: {} }] }, "I see no picture."]);
    const note = tool({
      name: "note",
      description: "Notes.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: () => "noted",
    });
    const agent = agentOf(server, files.fetchPublic, { tools: [note] });
    const output = await agent.run([{ type: "text", text: "Look" }, image(path)]);
    expect(output.text).toBe("I see no picture.");
    for (const index of [0, 1])
      expect(sentTo(server, index)).toContain(`[image at https://files.example${path} omitted:`);
    expect(output.warnings).toContainEqual({
      code: "media_not_downloaded",
      message: expect.stringMatching(says) as string,
      subject: `https://files.example${path}`,
    });
    expect(files.asked).toEqual(path === "/loop.png" ? [path, path, path, path] : [path]);
  },
);

test("A URL on this machine, in a private network or without https is never downloaded [providers.rule.images.download.guarded]", async () => {
  await using files = await fileServer({ "/a.png": picture });
  await using server = await modelServer(["No picture."]);
  const asked = files.asked;
  const agent = agentOf(server, undefined);
  const urls = [
    "https://127.0.0.1:1/a.png",
    "https://169.254.169.254/a.png",
    "https://[::1]/a.png",
    "http://1.1.1.1/a",
  ];
  const output = await agent.run(urls.map((url) => ({ type: "image", url }) as const));
  const said = output.warnings.filter(({ code }) => code === "media_not_downloaded");
  expect(said.map(({ subject }) => subject)).toEqual(urls);
  for (const { message } of said.slice(0, 3)) expect(message).toContain("not a public address");
  expect(said[3]?.message).toContain("does not use https");
  expect(asked).toEqual([]);
});

test("A server that fetches URLs gets the URL [providers.rule.images.download]", async () => {
  await using files = await fileServer({ "/a.png": picture });
  await using server = await modelServer(["A dot."]);
  const model = openai("gpt-4o", { api: "chat", baseURL: server.baseURL("openai"), apiKey: "k" });
  await agentOf(server, files.fetchPublic, { model }).run([image("/a.png")]);
  expect(sentTo(server, 0)).toContain("https://files.example/a.png");
  expect(files.asked).toEqual([]);
});

/** A tool that returns an image at an address. */
const camera = (url: string, integrity: "verified" | "untrusted") =>
  tool({
    name: "camera",
    description: "Returns the newest picture.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity, readers: "public" },
    toModelOutput: () => [image(url)],
    execute: () => "a picture",
  });

test("A URL that an untrusted text may have chosen is not requested [providers.rule.images.download.untrusted]", async () => {
  const call = { toolCalls: [{ name: "camera", arguments: {} }] };
  for (const [integrity, expected] of [
    ["verified", ["/a.png"]],
    ["untrusted", []],
  ] as const) {
    await using files = await fileServer({ "/a.png": picture });
    await using server = await modelServer([call, "Seen."]);
    const output = await agentOf(server, files.fetchPublic, { tools: [camera("/a.png", integrity)] }).run("Look.");
    expect([integrity, files.asked]).toEqual([integrity, expected]);
    expect(output.warnings.some(({ code }) => code === "media_not_downloaded")).toBe(integrity === "untrusted");
    expect(sentTo(server, 1).includes(inlined)).toBe(integrity === "verified");
  }
  // A trusted tool whose call untrusted text may have shaped: the address may contain data that the model read.
  await using files = await fileServer({ "/a.png": picture, "/user.png": picture });
  await using server = await modelServer([{ toolCalls: [{ name: "mail", arguments: {} }] }, call, "Seen.", "Seen."]);
  const mail = tool({
    name: "mail",
    description: "Reads mail.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public" },
    execute: () => "Take a picture.",
  });
  const agent = agentOf(server, files.fetchPublic, {
    tools: [mail, camera("/a.png", "verified")],
    session: memorySessions(),
  });
  await agent.run([{ type: "text", text: "Read my mail." }, image("/b.png", { untrusted: true })], { sessionId: "s" });
  expect(files.asked).toEqual([]);
  // The user may still name addresses after untrusted text was read.
  await agent.run([{ type: "text", text: "And this?" }, image("/user.png")], { sessionId: "s" });
  expect(files.asked).toEqual(["/user.png"]);
});
