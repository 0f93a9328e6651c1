import { ToolError, tool, type Tool, type ToolExecutionContext, type ToolReturn } from "@bailiwick/core";
import { containedTool } from "@bailiwick/core/extension";
import type { OpenCopy } from "../copy/open-copy.ts";
import type { WorkspaceSandbox } from "../host/host.ts";
import { textOf } from "../tree/changes.ts";
import { fields, fromCopy, hashOf, insidePath, readersOf, repeatedText, told, type CopyOf } from "./tool-kit.ts";

/** Fields of a tool that only changes the copy. */
const contained = {
  sideEffectClass: "side-effecting",
  executionMode: "sequential",
  idempotencyKey: "call",
  output: { integrity: "untrusted" },
  inboundSanitization: "detect-and-wrap",
} as const;

/** Runs a call that changes the copy, and reports a repetition. */
async function changing(
  copy: OpenCopy,
  ctx: ToolExecutionContext,
  work: (sandbox: WorkspaceSandbox) => Promise<string>,
): Promise<ToolReturn<string>> {
  const call = {
    key: ctx.idempotencyKey ?? `${ctx.runId}/${ctx.toolCallId}`,
    tool: ctx.toolName,
    readers: readersOf(ctx),
  };
  const { result, isRepeated } = await copy.change(call, work);
  return fromCopy(copy, isRepeated ? repeatedText + result : result);
}

export function writeTool(copyOf: CopyOf): Tool {
  const made = tool({
    name: "write",
    description: "Writes a whole file of the workspace. Read an existing file first.",
    inputSchema: fields({ file_path: { type: "string" }, content: { type: "string" } }, ["file_path", "content"]),
    ...contained,
    execute: (input, ctx) =>
      told(() => {
        const { file_path, content } = input as { readonly file_path: string; readonly content: string };
        const copy = copyOf(ctx);
        const path = insidePath(file_path);
        return changing(copy, ctx, async (sandbox) => {
          const before = await sandbox.read(path, true);
          if (before !== undefined) checkRead(copy.readId(ctx.runId, path), hashOf(before), file_path);
          await put(copy, ctx, sandbox, path, content);
          return before === undefined ? `Created ${file_path}.` : `Wrote ${file_path}.`;
        });
      }),
  });
  return containedTool(made, "workspace");
}

function checkRead(known: string | undefined, now: string, path: string): void {
  if (known === undefined)
    throw new ToolError(`READ_FIRST: "${path}" exists. Read it before you replace it.`, { kind: "invalid_input" });
  if (known !== now)
    throw new ToolError(`CHANGED_SINCE_READ: "${path}" has changed since you read it. Read it again.`, {
      kind: "invalid_input",
    });
}

async function put(
  copy: OpenCopy,
  ctx: ToolExecutionContext,
  sandbox: WorkspaceSandbox,
  path: string,
  content: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(content);
  await sandbox.write(path, bytes, { type: "file", follow: true });
  copy.noteRead(ctx.runId, path, hashOf(bytes));
}

interface EditInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export function editTool(copyOf: CopyOf): Tool {
  const made = tool({
    name: "edit",
    description:
      "Replaces `old_string` in a file of the workspace. It must be there exactly once, unless `replace_all` is true.",
    inputSchema: fields(
      {
        file_path: { type: "string" },
        old_string: { type: "string", minLength: 1 },
        new_string: { type: "string" },
        replace_all: { type: "boolean" },
      },
      ["file_path", "old_string", "new_string"],
    ),
    ...contained,
    execute: (input, ctx) =>
      told(() => {
        const given = input as EditInput;
        const copy = copyOf(ctx);
        const path = insidePath(given.file_path);
        return changing(copy, ctx, async (sandbox) => {
          const before = await sandbox.read(path, true);
          if (before === undefined)
            throw new ToolError(`There is no file "${given.file_path}" in the workspace.`, { kind: "invalid_input" });
          const text = textOf(before);
          if (text === undefined)
            throw new ToolError(`"${given.file_path}" is a binary file.`, { kind: "invalid_input" });
          const { edited, count } = replaced(text, given);
          await put(copy, ctx, sandbox, path, edited);
          return count === 1 ? `Edited ${given.file_path}.` : `Edited ${given.file_path} in ${count} places.`;
        });
      }),
  });
  return containedTool(made, "workspace");
}

/** The text with the replacement, in the line ends of the file. */
function replaced(
  text: string,
  { file_path, old_string, new_string, replace_all = false }: EditInput,
): { readonly edited: string; readonly count: number } {
  const isCrlf = text.includes("\r\n") && !old_string.includes("\r\n");
  const [old, next] = isCrlf ? [crlf(old_string), crlf(new_string)] : [old_string, new_string];
  if (old_string === new_string) throw new ToolError("old_string and new_string are equal.", { kind: "invalid_input" });
  const parts = text.split(old);
  const count = parts.length - 1;
  if (count === 0)
    throw new ToolError(`old_string is not in "${file_path}" (0 hits).${nearest(text, old_string)}`, {
      kind: "invalid_input",
    });
  if (count > 1 && !replace_all)
    throw new ToolError(
      `old_string is ${count} times in "${file_path}"${linesOf(text, old)}. Give more of the lines around it, or set replace_all.`,
      { kind: "invalid_input" },
    );
  return { edited: parts.join(next), count };
}

function crlf(text: string): string {
  return text.replaceAll(/\r?\n/gu, "\r\n");
}

function linesOf(text: string, old: string): string {
  const lines: number[] = [];
  for (let at = text.indexOf(old); at >= 0 && lines.length < 5; at = text.indexOf(old, at + old.length))
    lines.push(text.slice(0, at).split("\n").length);
  return ` (lines ${lines.join(", ")})`;
}

/** The lines that have the most words of the first line that was looked for. */
function nearest(text: string, old: string): string {
  const words = new Set((old.split("\n").find((line) => line.trim() !== "") ?? "").match(/\w+/gu) ?? []);
  const scored = text
    .split("\n")
    .slice(0, 5_000)
    .map((line, index) => ({
      line,
      number: index + 1,
      score: (line.match(/\w+/gu) ?? []).filter((word) => words.has(word)).length,
    }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, 3);
  if (scored.length === 0) return " Read the file again.";
  return ` The nearest lines are:\n${scored.map(({ line, number }) => `${number}\t${line.slice(0, 200)}`).join("\n")}`;
}

interface BashInput {
  readonly command: string;
  readonly timeout?: number;
  readonly run_in_background?: boolean;
}

const longestTimeoutMs = 600_000;

/** Runs commands. With hosts, a command changes the outside, so it is an ordinary writer. */
export function bashTool(copyOf: CopyOf, hosts: readonly string[]): Tool {
  const execute = (input: unknown, ctx: ToolExecutionContext): Promise<ToolReturn<string>> =>
    told(() => {
      const given = input as BashInput;
      const copy = copyOf(ctx);
      return changing(copy, ctx, (sandbox) =>
        given.run_in_background === true ? startCommand(copy, sandbox, given) : runCommand(copy, sandbox, given, ctx),
      );
    });
  const shared = {
    name: "bash",
    description:
      "Runs a shell command in the workspace. Each command has a fresh shell; the working directory is kept. Commands are never asked about.",
    inputSchema: fields(
      {
        command: { type: "string" },
        description: { type: "string", description: "What the command is for, in a few words." },
        timeout: { type: "integer", minimum: 1, maximum: longestTimeoutMs, description: "Milliseconds." },
        run_in_background: { type: "boolean" },
      },
      ["command"],
    ),
    timeoutMs: longestTimeoutMs + 60_000,
    describeCall: (input: unknown) => `Run: ${(input as BashInput).command}`,
    execute,
  };
  if (hosts.length === 0) return containedTool(tool({ ...shared, ...contained }), "workspace");
  return tool({
    ...shared,
    description: `Runs a shell command in the workspace, which can reach ${hosts.join(", ")}.`,
    sideEffectClass: "external-stateful",
    executionMode: "sequential",
    output: { integrity: "untrusted" },
    inboundSanitization: "detect-and-wrap",
    flow: { readers: () => hosts.map((host) => `host:${host}` as const) },
  });
}

async function runCommand(
  copy: OpenCopy,
  sandbox: WorkspaceSandbox,
  { command, timeout }: BashInput,
  { signal }: ToolExecutionContext,
): Promise<string> {
  const { commandMs, outputTokens } = copy.limits;
  const timeoutMs = Math.min(timeout ?? commandMs, longestTimeoutMs);
  const { cwd, notCopied, hasNamedThem } = copy.state;
  const exit = await sandbox.exec({ command, cwd, timeoutMs, outputBytes: outputTokens * 4, signal });
  if (exit.cwd !== cwd) copy.update({ cwd: exit.cwd });
  const lines = [exit.output.replace(/\n$/u, "")].filter((line) => line !== "");
  if (exit.ended === "timeout") lines.push(`[The command was stopped after ${timeoutMs} ms.]`);
  else if (exit.code !== 0) lines.push(`[exit code ${exit.code ?? exit.ended}]`);
  if (exit.code !== 0 && notCopied.length > 0 && !hasNamedThem) {
    copy.update({ hasNamedThem: true });
    lines.push(
      `[.gitignore names these files, so they were not copied into the workspace: ${notCopied.slice(0, 20).join(", ")}]`,
    );
  }
  return lines.length === 0 ? "[exit code 0, no output]" : lines.join("\n");
}

async function startCommand(copy: OpenCopy, sandbox: WorkspaceSandbox, { command }: BashInput): Promise<string> {
  if (sandbox.start === undefined)
    throw new ToolError("This workspace has no background processes. Run the command without run_in_background.");
  const { id } = await sandbox.start({ command, cwd: copy.state.cwd });
  return `Started in the background as ${id}. Read its output with bash_output, end it with bash_kill.`;
}

export function bashKillTool(copyOf: CopyOf): Tool {
  const made = tool({
    name: "bash_kill",
    description: "Ends a background process of bash.",
    inputSchema: fields({ bash_id: { type: "string" } }, ["bash_id"]),
    ...contained,
    execute: (input, ctx) =>
      told(() => {
        const copy = copyOf(ctx);
        return changing(copy, ctx, (sandbox) =>
          backgroundText(sandbox, (input as { readonly bash_id: string }).bash_id, true),
        );
      }),
  });
  return containedTool(made, "workspace");
}

/** New output and the state of a background process. */
export async function backgroundText(sandbox: WorkspaceSandbox, id: string, end: boolean): Promise<string> {
  const state = await sandbox.background?.(id, end);
  if (state === undefined)
    throw new ToolError(
      `There is no background process "${id}": it was lost when the sandbox ended, or it was never started.`,
      { kind: "invalid_input" },
    );
  return `[${state.status}]\n${state.output}`;
}
