// Tools that the scenarios of tasks call, with their terms.
import type { Tool } from "@bailiwick/agent";
import type { JsonSchema } from "@bailiwick/core";
import { askClient } from "@bailiwick/mcp/server";
import type { TaskOptions } from "@bailiwick/mcp/server";
import { scenarioTool } from "./scenario-tool.ts";
import { schemaOf } from "./schema.ts";

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
const fields = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: "object", properties });
const confirmation: JsonSchema = { ...fields({ confirm: { type: "boolean" } }), required: ["confirm"] };

const made = (name: string, inputSchema: JsonSchema, execute: (input: never, ctx: never) => unknown): Tool =>
  scenarioTool(name, inputSchema, execute);

interface Context {
  readonly signal: AbortSignal;
  ask<T>(question: { question: string; schema: never; key?: string }): Promise<T>;
}

export const taskTools: readonly Tool[] = [
  made("greet", fields({ name: { type: "string" } }), ({ name }: { name: string }) => `Hello, ${name}!`),
  made(
    "slow_compute",
    fields({ seconds: { type: "number" }, label: { type: "string" } }),
    async ({ seconds }: { seconds: number }, { signal }: Context) => {
      await pause(seconds * 1_000, signal);
      return `Computed for ${seconds} seconds.`;
    },
  ),
  made("failing_job", fields({}), async (_: unknown, { signal }: Context) => {
    await pause(1_000, signal);
    throw new Error("This job fails.");
  }),
  made("protocol_error_job", fields({}), () => "never"),
  made("confirm_delete", fields({ filename: { type: "string" } }), async (_: unknown, ctx: Context) => {
    const schema = schemaOf(confirmation) as never;
    const { confirm } = await ctx.ask<{ confirm: boolean }>({ question: "Delete the file?", schema });
    return confirm ? "Deleted." : "Kept.";
  }),
  made("multi_input", fields({}), async (_: unknown, ctx: never) =>
    JSON.stringify(
      await askClient(ctx, {
        first: { kind: "form", message: "The first name?", schema: fields({ name: { type: "string" } }) },
        second: { kind: "form", message: "The second name?", schema: fields({ name: { type: "string" } }) },
      }),
    ),
  ),
  made("test_tool_with_task", fields({}), async (_: unknown, ctx: Context) => {
    const schema = schemaOf({ ...fields({ name: { type: "string" } }), required: ["name"] }) as never;
    const { name } = await ctx.ask<{ name: string }>({ question: "Your name?", schema, key: "user_name" });
    await pause(3_000, ctx.signal);
    return `Hello, ${name}!`;
  }),
];

const atOnce = { afterMs: 0 };

/** A call of one of these is a task at once; the last one asks before it becomes a task. */
export const taskTerms: TaskOptions = {
  pollIntervalMs: 200,
  tools: {
    slow_compute: atOnce,
    failing_job: { afterMs: 0, required: true },
    protocol_error_job: atOnce,
    confirm_delete: atOnce,
    multi_input: atOnce,
    test_tool_with_task: { afterMs: 1_500, required: true },
  },
};
