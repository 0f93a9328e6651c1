import { memoryStore, tool, type Tool } from "@bailiwick/core";
import { inMemoryMemories, memory } from "@bailiwick/memory";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  caseFiles,
  evaluate,
  evaluation,
  includes,
  jsonl,
  type Case,
  type CaseSource,
  type EvaluationOptions,
} from "../src/index.ts";
import { desk, real } from "./desk.test.helper.ts";

const base = {
  name: "refused",
  cases: [{ input: "Refund order 7." }],
  must: [includes("Order")],
} satisfies Partial<EvaluationOptions>;
const undeclared: Tool = tool({
  name: "look",
  description: "Looks.",
  inputSchema: z.object({}),
  execute: () => "seen",
}) as Tool;

/** The error of an evaluation, which begins nothing. */
async function refusal(
  options: Partial<EvaluationOptions>,
): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await evaluate(evaluation({ agent: ({ store }) => desk(store), ...base, ...options }));
  } catch (error) {
    return error as { readonly code: string; readonly message: string };
  }
  return { code: "none", message: "" };
}

test("an evaluation with a tool without a fake is refused before the first request, with every such tool [evals.fakes]", async () => {
  const inner = desk(undefined, { name: "inner" });
  const error = await refusal({ agent: ({ store }) => desk(store, { tools: [undeclared, inner.asTool()] }) });
  expect(error.code).toBe("EVAL_FAKE_MISSING");
  expect(error.message).toMatch(/change something outside: "refund"/u);
  expect(error.message).toMatch(/do not declare their effect in your code: "look"/u);
  expect(real).toEqual([]);
});

test("an evaluation refuses an agent with its own store, and a hosted tool [evals.fakes]", async () => {
  const store = memoryStore();
  const fixed = [
    desk(store, { tools: [] }),
    desk(undefined, { tools: [], session: store.sessions }),
    desk(undefined, { tools: [], memory: memory({ store: inMemoryMemories() }) }),
    desk(undefined, { tools: [desk(store, { tools: [], name: "inner" }).asTool()] }),
  ];
  for (const agent of fixed) expect((await refusal({ agent })).code).toBe("EVAL_STORE_FIXED");
  expect((await refusal({ agent: () => desk(store, { tools: [] }) })).code).toBe("EVAL_STORE_FIXED");
  const hostedTools = [
    { kind: "hosted", name: "web_search", provider: "scripted", sideEffectClass: "read-only", config: {} },
  ] as never;
  const hosted = await refusal({ agent: ({ store: own }) => desk(own, { tools: [], hostedTools }) });
  expect(hosted.code, hosted.message).toBe("EVAL_HOSTED_TOOL");
});

test("an evaluation without cases or scorers, with a wrong option or two equal names is refused [evals.definition]", () => {
  const agent = desk();
  const wrong: readonly (readonly [Partial<EvaluationOptions>, string])[] = [
    [{ cases: [] }, "EVAL_EMPTY"],
    [{ must: [] }, "EVAL_EMPTY"],
    [{ repeat: 0 }, "INVALID_OPTION"],
    [{ must: [includes("a"), includes("b")] }, "INVALID_OPTION"],
    [{ thresholds: { other: { atLeast: 1 } } }, "INVALID_OPTION"],
    [{ thresholds: { includes: { atLeast: 2 } } }, "INVALID_OPTION"],
    [{ must: [() => 1] }, "INVALID_OPTION"],
    [{ scorer: [] } as never, "UNKNOWN_OPTION"],
  ];
  for (const [options, code] of wrong) {
    let thrown: unknown;
    try {
      evaluation({ agent, ...base, ...options });
    } catch (error) {
      thrown = error;
    }
    expect(thrown, JSON.stringify(options)).toMatchObject({ code });
  }
});

test("cases are read from files, and refused with their file, line and reason [evals.cases]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-evals-"));
  try {
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const of = (cases: readonly (Case | CaseSource)[]) =>
      refusal({ cases, agent: ({ store }) => desk(store, { tools: [] }) });
    const bad = await of([jsonl(file("bad.jsonl", '{"input":"a"}\n{"input":7}\n'))]);
    expect([bad.code, bad.message]).toEqual(["CASE_INVALID", expect.stringContaining("bad.jsonl:2")]);
    const broken = await of([jsonl(file("broken.jsonl", '\n{"input":'))]);
    expect([broken.code, broken.message]).toEqual(["CASE_INVALID", expect.stringContaining("broken.jsonl:2")]);
    const twice = await of([{ input: "same" }, jsonl(file("twice.jsonl", '\ufeff{"input":"same"}\r\n'))]);
    expect([twice.code, twice.message]).toEqual(["CASE_TWICE", expect.stringMatching(/cases\[0\].*twice\.jsonl:1/u)]);
    expect((await of([jsonl(join(folder, "absent.jsonl"))])).code).toBe("CASE_INVALID");
    file("one.case.json", '{"agent":"desk","input":"Hello.","expected":{"answer":"Order 0 is done."}}');
    const made = evaluation({
      ...base,
      agent: ({ store }) => desk(store),
      fakes: { refund: () => 1 },
      cases: [caseFiles(folder)],
    });
    expect((await evaluate(made)).cases.map((one) => one.case)).toEqual(["one"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
