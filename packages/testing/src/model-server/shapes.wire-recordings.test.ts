import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptStep } from "../index.ts";

const recordings = inject("wireRecordings");

/** Members of each kind of event: those in every event, and those in any. */
type Shapes = Map<string, { readonly always: Set<string>; readonly sometimes: Set<string> }>;

function members(value: unknown, path: string, found: Set<string>): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) members(item, `${path}[${typeOf(item)}]`, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const at = `${path}.${key}`;
      found.add(at);
      // The caller's data and calls' arguments do not have the vendor's shape.
      if (!["tools", "input", "args", "metadata", "tool_choice"].includes(key)) members(item, at, found);
    }
  }
  return found;
}

function typeOf(item: unknown): string {
  const { type } = (item ?? {}) as { type?: unknown };
  return typeof type === "string" ? type : "";
}

/** The kind of an event: its type and those of its item, part, block or delta, or which members its choice or part has. */
function kindOf(event: Record<string, unknown>): string {
  const parts = ["item", "part", "content_block", "delta"].map((name) => typeOf(event[name]));
  const choice = ((event["choices"] as readonly { delta?: object; finish_reason?: unknown }[] | undefined) ?? [])[0];
  const delta = Object.keys(choice?.delta ?? {});
  const candidate = (
    (event["candidates"] as readonly { content: { parts: readonly object[] }; finishReason?: string }[] | undefined) ??
    []
  )[0];
  const part = candidate?.content.parts.flatMap((piece) => Object.keys(piece)).sort() ?? [];
  return [
    typeOf(event),
    ...parts,
    ...delta,
    choice?.finish_reason ? "end" : "",
    ...part,
    candidate?.finishReason ?? "",
  ].join("/");
}

function shapesOf(
  events: readonly Record<string, unknown>[],
  kind: (event: Record<string, unknown>) => string = kindOf,
): Shapes {
  const shapes: Shapes = new Map();
  for (const event of events) {
    const found = members(event, "", new Set());
    const known = shapes.get(kind(event));
    if (known === undefined) shapes.set(kind(event), { always: found, sometimes: new Set(found) });
    else {
      for (const path of known.always) if (!found.has(path)) known.always.delete(path);
      for (const path of found) known.sometimes.add(path);
    }
  }
  return shapes;
}

function recorded(folder: string, names: readonly string[]): readonly Record<string, unknown>[] {
  return names.flatMap((name) =>
    readFileSync(join(recordings, folder, name), "utf8")
      .split(name.endsWith(".json") ? "\0" : "\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
}

async function played(
  path: string,
  headers: Record<string, string>,
  body: object,
  steps: readonly ScriptStep[],
): Promise<readonly Record<string, unknown>[]> {
  await using server = await modelServer(steps, { strict: false });
  const answers: Record<string, unknown>[] = [];
  for (const _step of steps) {
    const answer = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.headers.get("content-type") === "application/json")
      answers.push(JSON.parse(text) as Record<string, unknown>);
    else
      answers.push(
        ...text
          .split(/\r?\n/)
          .filter((line) => line.startsWith("data: {"))
          .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>),
      );
  }
  return answers;
}

/** Differences: members that every recording has and ours lack, and members that only ours have. */
function differences(ours: Shapes, theirs: Shapes, except: RegExp): readonly string[] {
  const found: string[] = [];
  for (const [kind, { sometimes }] of ours) {
    const vendor = theirs.get(kind);
    if (vendor === undefined) continue;
    for (const path of vendor.always) if (!sometimes.has(path)) found.push(`${kind}: lacks ${path}`);
    for (const path of sometimes) if (!vendor.sometimes.has(path)) found.push(`${kind}: adds ${path}`);
  }
  return found.filter((line) => !except.test(line));
}

const text: ScriptStep = { text: "Hello there." };
const call: ScriptStep = { toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }] };

test("events of the Responses wire have the members of the recorded ones", async () => {
  const theirs = shapesOf(recorded("openai-responses", ["openai-reasoning-encrypted-content.1.chunks.txt"]));
  const body = { model: "gpt-5.5", input: "x", stream: true, store: false, include: ["reasoning.encrypted_content"] };
  const ours = shapesOf(await played("/v1/responses", {}, body, [{ reasoning: "Hm.", ...call }, text]));
  expect([...theirs.keys()].filter((kind) => !ours.has(kind))).toEqual([]);
  expect(differences(ours, theirs, /obfuscation/)).toEqual([]);
});

test("JSON answers of the Responses wire have the members of the recorded ones", async () => {
  const theirs = shapesOf(recorded("openai-responses", ["openai-reasoning-encrypted-content.1.json"]), () => "");
  const body = { model: "gpt-5.5", input: "x", store: false, include: ["reasoning.encrypted_content"] };
  const ours = shapesOf(await played("/v1/responses", {}, body, [{ reasoning: "Hm.", ...text }]), () => "");
  expect(differences(ours, theirs, /billing/)).toEqual([]);
});

test("chunks and JSON answers of Chat Completions have the members of the recorded ones", async () => {
  const body = { model: "gpt-4.1-nano", messages: [], stream: true, stream_options: { include_usage: true } };
  const theirs = shapesOf(recorded("openai-chat", ["openai-text.chunks.txt"]));
  const ours = shapesOf(await played("/v1/chat/completions", {}, body, [text, call]));
  expect([...theirs.keys()].filter((kind) => !ours.has(kind))).toEqual([]);
  expect(differences(ours, theirs, /obfuscation/)).toEqual([]);

  const whole = shapesOf(recorded("openai-chat", ["openai-text.json"]), () => "");
  const json = shapesOf(await played("/v1/chat/completions", {}, { ...body, stream: false }, [text]), () => "");
  expect(differences(json, whole, /^$/)).toEqual([]);
});

test("events and JSON answers of the Messages wire have the members of the recorded ones", async () => {
  const theirs = shapesOf(
    recorded("anthropic", [
      "anthropic-text.chunks.txt",
      "anthropic-tool-no-args.chunks.txt",
      "anthropic-json-tool.1.chunks.txt",
    ]),
  );
  const body = { model: "claude-opus-5", messages: [], max_tokens: 100, stream: true };
  const ours = shapesOf(await played("/v1/messages", {}, body, [text, call]));
  expect([...theirs.keys()].filter((kind) => !ours.has(kind))).toEqual([]);
  expect(differences(ours, theirs, /^$/)).toEqual([]);

  const whole = shapesOf(
    recorded("anthropic", ["anthropic-claude-opus-5-reasoning-high.1.json", "anthropic-tool-no-args.json"]),
    () => "",
  );
  const json = shapesOf(
    await played("/v1/messages", {}, { ...body, stream: false }, [{ reasoning: "Hm.", ...text, ...call }]),
    () => "",
  );
  expect(differences(json, whole, /stop_details/)).toEqual([]);
});

test("a refusal of the Messages wire has the members of the recorded one", async () => {
  const refusal: ScriptStep = { refusal: "Not this." };
  const body = { model: "claude-opus-5", messages: [], max_tokens: 100 };
  const theirs = shapesOf(recorded("anthropic", ["anthropic-refusal.chunks.txt"]));
  const ours = shapesOf(await played("/v1/messages", {}, { ...body, stream: true }, [refusal]));
  expect(differences(ours, theirs, /recommended_model/)).toEqual([]);
  const whole = shapesOf(recorded("anthropic", ["anthropic-refusal.json"]), () => "");
  expect(
    differences(
      shapesOf(await played("/v1/messages", {}, body, [refusal]), () => ""),
      whole,
      /recommended_model/,
    ),
  ).toEqual([]);
});

test("chunks and JSON answers of the Gemini wire have the members of the recorded ones", async () => {
  const names = ["google-text", "google-tool-call-gemini3", "google-reasoning-gemini3"];
  const theirs = shapesOf(
    recorded(
      "google",
      names.map((name) => `${name}.chunks.txt`),
    ),
  );
  const path = "/v1beta/models/gemini-3-pro-preview:";
  const signed: ScriptStep = { reasoning: { signature: "CiQBc2ln" }, ...text, usage: { reasoningTokens: 5 } };
  const ours = shapesOf(
    await played(`${path}streamGenerateContent?alt=sse`, {}, { contents: [] }, [
      signed,
      { ...call, usage: { reasoningTokens: 5 } },
    ]),
  );
  expect([...theirs.keys()].filter((kind) => !ours.has(kind))).toEqual([]);
  expect(differences(ours, theirs, /functionCall\.id/)).toEqual([]);

  const whole = shapesOf(
    recorded(
      "google",
      names.map((name) => `${name}.json`),
    ),
    () => "",
  );
  const json = shapesOf(
    await played(`${path}generateContent`, {}, { contents: [] }, [signed, { ...call, usage: { reasoningTokens: 5 } }]),
    () => "",
  );
  expect(differences(json, whole, /functionCall\.id/)).toEqual([]);
});
