import {
  sandboxedTool,
  tool,
  type AgentOptions,
  type ModelProvider,
  type Path,
  type RunOptions,
  type RunSettings,
  type Tool,
  type ToolInput,
  type ToolOutput,
} from "@bailiwick/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Agent } from "../../src/index.ts";

declare const model: ModelProvider;

const find = tool({
  name: "find",
  description: "Finds.",
  inputSchema: z.object({ id: z.string(), lines: z.array(z.object({ sku: z.string() })) }),
  execute: ({ id }) => ({ id, total: 1 }),
});

test("names are literal, inputs and outputs are inferred, and any typed tool is a Tool [seams.types.erased-tool]", () => {
  expectTypeOf(find.name).toEqualTypeOf<"find">();
  expectTypeOf<ToolInput<typeof find>>().toEqualTypeOf<{ id: string; lines: { sku: string }[] }>();
  expectTypeOf<ToolOutput<typeof find>>().toEqualTypeOf<{ id: string; total: number }>();
  expectTypeOf(find).toExtend<Tool>();
});

test("a closure in a sandbox and a module entry in tool() are compile errors [seams.types.two-functions]", () => {
  // @ts-expect-error a sandboxed tool is a module entry, not a closure
  sandboxedTool({ name: "a", description: "a", inputSchema: z.object({}), sandboxPolicy: "os", execute: () => 1 });
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({}),
    // @ts-expect-error tool() takes a closure
    execute: { module: new URL("file:///a.mjs"), export: "run" },
  });
});

test("paths address the arguments as JSON [seams.types.paths]", () => {
  expectTypeOf<"id" | "lines" | "lines[].sku">().toExtend<Path<{ id: string; lines: { sku: string }[] }>>();
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ to: z.string() }),
    flow: { authority: ["to"] },
    execute: () => 1,
  });
  tool({
    name: "a",
    description: "a",
    inputSchema: z.object({ to: z.string() }),
    // @ts-expect-error there is no such argument
    flow: { authority: ["tp"] },
    execute: () => 1,
  });
});

test("agents and runs accept the same settings, including undefined, and refuse unknown ones [seams.types.run-settings]", () => {
  expectTypeOf<AgentOptions>().toExtend<RunSettings>();
  expectTypeOf<RunOptions>().toExtend<RunSettings>();
  expectTypeOf<Pick<RunSettings, "maxTurns">>().toEqualTypeOf<{ readonly maxTurns?: number | undefined }>();
  void new Agent({ name: "a", model, maxTurns: undefined, approval: { policy: undefined } });
  // @ts-expect-error there is no such option
  void new Agent({ name: "a", model, maxTurn: 3 });
  // @ts-expect-error there is no such option of a run
  void new Agent({ name: "a", model }).run("go", { maxTurn: 3 });
});
