// Tests that the table of names from other frameworks is complete and correct.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { root } from "./lib/project.mjs";
import { detailsOfPage, unlisted } from "./lib/reference-details.mjs";
import { moduleOf, namesOfPage, readNameTable, unaccounted } from "./lib/reference-names.mjs";

const folder = mkdtempSync(join(tmpdir(), "names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const told = (/** @type {string} */ page) => namesOfPage(page).map(({ type, name }) => `${type}.${name}`);

test("names are found in each format that the pages use", () => {
  expect(
    told(
      'Index\nRunContext\nCarries the run.\n| Property | Type | Description |\n|---|\nrunId | string | Id |\nMethods\n| Method | Signature |\n|---|\ngetState | getState(key) | Reads |\nStreamChunk\n| Type | Fields | Description |\n|---|\n"text" | text: string | Text |\n"call" | call: { id: string; name: string } | Call |\n',
    ),
  ).toEqual([
    "RunContext.runId",
    "RunContext.getState",
    "StreamChunk.type:text",
    "StreamChunk.text",
    "StreamChunk.type:call",
    "StreamChunk.call",
  ]);
  expect(
    told(
      "Site\nInterface: ResolvedTool<A>\nProperties\n| Property | Modifier |\nname | readonly | string |\ntags? | readonly | string[] |\nMethods\nexecute()\n",
    ),
  ).toEqual(["ResolvedTool.name", "ResolvedTool.tags", "ResolvedTool.execute"]);
  expect(told("API Reference\nToolMessage\nProperties\n| Property | Type |\ncontent | string | Text |\n")).toEqual([
    "ToolMessage.content",
  ]);
  expect(
    told(
      'Skip\ntype FunctionToolResult =\n| {\ninterruptions?: Item[];\ntype: "function_output";\n};\nThe result of a call.\n',
    ),
  ).toEqual(["FunctionToolResult.interruptions", "FunctionToolResult.type:function_output"]);
  expect(
    told("Skip\nInterface: Options\nsignal?\noptional signal?: AbortSignal\ntoolCallId\ntoolCallId: string\n"),
  ).toEqual(["Options.signal", "Options.toolCallId"]);
});

test("values, defaults and nested fields are found in each format that the pages use", () => {
  const page = (/** @type {string[]} */ ...lines) => detailsOfPage(`${lines.join("\n")}\n`);
  expect(
    page(
      "RetryConfig",
      "| Property | Type | Default | Description |",
      "|---|",
      'strategy | "trim" | "hybrid" | "trim" | The way (e.g. "other") |',
      "delayMs | number | 300000 (5 min) | Time |",
      "model | Model | undefined | Cheaper |",
      "skip | () => Promise<{ stop?: boolean } | void> | — | Hook |",
      "Common events",
      "| Event | Payload | When |",
      "|---|",
      "run.start | { runId, input } | Run begins |",
      "Default retryable errors: HTTP 429, 5xx, ECONNRESET, and “rate limit”.",
      "return { approved: true };",
      '{ pass: false, reason: "No" }',
    ),
  ).toEqual([
    'RetryConfig.strategy "trim"',
    'RetryConfig.strategy "hybrid"',
    "RetryConfig.strategy default trim",
    "RetryConfig.delayMs default 300000",
    "RetryConfig.skip: stop",
    "event run.start: runId",
    "event run.start: input",
    "retried by default: 429",
    "retried by default: 5xx",
    "retried by default: ECONNRESET",
    'retried by default: "rate limit"',
    "ApprovalConfig.onApproval: approved",
    "GuardrailResult.pass false",
    "GuardrailResult.reason",
  ]);
  expect(
    page(
      "Interface: Options<A>",
      "Extends",
      "optional onToken?: Handlers",
      "onTextDelta(botName, event) {",
      "if (nested.type === 'text_delta') {",
      "optional fatal?: boolean",
      "Default (false) logs the error.",
    ),
  ).toEqual([
    "Options.onToken: onTextDelta",
    "Options.onToken: type",
    'Options.onToken "text_delta"',
    "Options.fatal default false",
  ]);
  expect(unlisted(["a", "b"], ["b", "c"])).toEqual([
    "examples/reference/rows.json: a is missing",
    "examples/reference/rows.json: c is on no page",
  ]);
});

test("a name without a row, a row without a name, and a row without a reason are found", () => {
  const rows = readNameTable(
    "## Some system\n\n### `Tool`\n\n| there | here | why |\n|---|---|---|\n| `name`, `old` | `Tool` | |\n| `gone` | – | |\n",
  );
  expect(
    unaccounted(
      [
        { type: "Tool", name: "name" },
        { type: "Tool", name: "gone" },
        { type: "Tool", name: "new" },
      ],
      rows,
    ),
  ).toEqual([
    "Tool.new has no row",
    "Tool.old is on no reference page",
    "line 8: Tool.gone has neither a name here nor a reason",
  ]);
  expect(moduleOf(rows)).toContain('Has<Tool, "old">');
});

test("a row of a function or a nested field belongs to no type, and the name here has to be exported", () => {
  const rows = readNameTable(
    "### `Tool`\n\n| `name` | `Tool` | |\n\n### Functions\n\n| `defineTool` | `tool` | |\n| `cache.ttl` | `ToolCacheConfig.ttlMs` | |\n| `gone()` | – | |\n",
  );
  expect(unaccounted([{ type: "Tool", name: "name" }], rows)).toEqual([
    "line 9: gone() has neither a name here nor a reason",
  ]);
  const code = moduleOf(rows);
  expect(code).toContain('export { tool as line7_0 } from "@bailiwick/agent";');
  expect(code).toContain('Has<ToolCacheConfig, "ttlMs">');
});

test("each name of the reference pages is one of ours in the types, and a page with more names fails [seams.proof.reference-names]", async () => {
  const check = (/** @type {readonly string[]} */ args) => {
    const path = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`;
    const script = join(root, "scripts/check-reference-names.mjs");
    const child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...process.env, PATH: path } });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
  };
  expect(await check([])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d{3} names are names of ours or have a reason/),
  });
  writeFileSync(
    join(folder, "page.txt"),
    "RunContext\n| Property | Type |\n|---|\nteleport | boolean | Moves the run |\n",
  );
  expect(await check([folder])).toMatchObject({
    code: 1,
    output: expect.stringContaining("RunContext.teleport has no row"),
  });
  const table = readNameTable(readFileSync(join(root, "docs/guides/names-elsewhere.md"), "utf8"));
  expect(table.flatMap(({ names }) => names).length).toBeGreaterThan(150);
});
