import { env } from "@bailiwick/security";
import { tool, type RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const output = z.object({ note: z.string(), tags: z.array(z.string()).optional() });
const escaped = String.raw`{"note":"\u0021[x](https:\u002f\u002fevil.example\u002f?q=1) \"quoted\" <img src='https://evil.example/p'>","tags":["![t](https://evil.example/t)"]}`;

test("a structured answer is filtered string by string, for every way to escape its JSON [flow.r8] [flow.r8.streams]", async () => {
  const handle = new Agent({
    name: "agent",
    logger: quiet,
    model: scriptedModel([{ deltas: escaped.match(/.{1,7}/gsu) ?? [] }]),
    output,
  }).stream("go");
  const { events } = await collect(handle);
  const result = await handle.result;
  expect(result.structured).toEqual({ note: 'x "quoted" ', tags: ["t"] });
  const partials = events.flatMap((event: RunEvent) =>
    event.type === "structured.delta" ? [JSON.stringify(event.partial)] : [],
  );
  expect(partials.length).toBeGreaterThan(3);
  // A client cannot fetch a link that was made text; an unclosed image contains only such text.
  for (const partial of partials) expect(partial).not.toMatch(/https?:\/\/evil|<img/u);
});

test("a secret that a structured answer hides in JSON escapes is scrubbed [secrets.scrub.encodings]", async () => {
  const value = "hunter2-hunter2";
  const hidden = [...value].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join("");
  const key = tool({
    name: "key",
    description: "d",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    secretsAllowed: ["KEY"],
    execute: () => "ok",
  });
  const model = scriptedModel([{ deltas: [`{"note":"${hidden}"}`] }]);
  const handle = new Agent({
    name: "agent",
    logger: quiet,
    model,
    output,
    tools: [key],
    secrets: env({ from: { KEY: value } }),
  }).stream("go");
  const { events } = await collect(handle);
  expect((await handle.result).structured).toEqual({ note: "[secret KEY]" });
  for (const event of events)
    if (event.type === "structured.delta") expect(JSON.stringify(event.partial)).not.toContain(value);
});

test("the finish event of a call contains no more than the filtered text [flow.r8.streams]", async () => {
  const leak = "Look: ![x](https://evil.example/?q=1) done.";
  const handle = new Agent({ name: "agent", logger: quiet, model: scriptedModel([leak]) }).stream("go");
  const { events } = await collect(handle);
  const finish = events.find(({ type }) => type === "finish");
  expect(JSON.stringify(finish)).toContain("Look: x done.");
  expect(JSON.stringify(finish)).not.toContain("evil.example");
});
