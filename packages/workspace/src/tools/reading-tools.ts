import { ToolError, tool, type ContentPart, type ImageMimeType, type Tool, type ToolFields } from "@bailiwick/core";
import { withSource } from "@bailiwick/core/extension";
import picomatch from "picomatch";
import type { OpenCopy } from "../copy/open-copy.ts";
import { root } from "../host/root.ts";
import { textOf } from "../tree/changes.ts";
import { walk, type FoundFile } from "../tree/scan.ts";
import { fields, fromCopy, hashOf, insidePath, told, type CopyOf } from "./tool-kit.ts";

const mostLines = 2_000;
const longestLine = 2_000;
const mostHits = 100;
const searchMs = 30_000;

/** Fields that all reading tools have. */
const reads: Pick<ToolFields, "sideEffectClass" | "inboundSanitization"> & {
  readonly output: { readonly integrity: "untrusted" };
} = {
  sideEffectClass: "read-only",
  output: { integrity: "untrusted" },
  // Stripped text could not be found again by `edit`.
  inboundSanitization: "detect-and-wrap",
};

interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
}

export function readTool(copyOf: CopyOf): Tool {
  return builtIn(
    tool({
      name: "read",
      description:
        "Reads a file of the workspace with line numbers, an image, or the list of a folder. Reads 2,000 lines from `offset`.",
      inputSchema: fields(
        {
          file_path: { type: "string", description: "Path; relative paths begin at /workspace." },
          offset: { type: "integer", minimum: 1, description: "First line, from 1." },
          limit: { type: "integer", minimum: 1, description: "Number of lines." },
        },
        ["file_path"],
      ),
      ...reads,
      execute: (input, ctx) =>
        told(async () => {
          const { file_path, offset = 1, limit = mostLines } = input as ReadInput;
          const copy = copyOf(ctx);
          const path = insidePath(file_path);
          const sandbox = await copy.sandbox();
          const bytes = await sandbox.read(path, true);
          if (bytes === undefined) return fromCopy(copy, await folderText(copy, path, file_path));
          copy.noteRead(ctx.runId, path, hashOf(bytes));
          const image = imageOf(bytes);
          if (image !== undefined) return fromCopy(copy, `${file_path}: an image (${image.mimeType}).`, [image]);
          const text = textOf(bytes);
          if (text === undefined) return fromCopy(copy, `${file_path} is a binary file of ${bytes.length} bytes.`);
          return fromCopy(copy, numbered(text, offset, Math.min(limit, mostLines)));
        }),
    }),
  );
}

async function folderText(copy: OpenCopy, path: string, given: string): Promise<string> {
  const sandbox = await copy.sandbox();
  const [entries = []] = await sandbox.list([path]);
  const [beside = []] = await sandbox.list([path === "/" ? "/" : path.slice(0, path.lastIndexOf("/")) || "/"]);
  const isFolder =
    path === root ||
    entries.length > 0 ||
    beside.some(({ name, kind }) => kind === "folder" && path.endsWith(`/${name}`));
  if (!isFolder)
    throw new ToolError(`There is no file or folder "${given}" in the workspace.`, { kind: "invalid_input" });
  const names = entries
    .map(({ name, kind }) => `${name}${{ folder: "/", link: "@", file: "", other: "?" }[kind]}`)
    .toSorted();
  return names.length === 0 ? "The folder is empty." : names.slice(0, mostLines).join("\n");
}

function numbered(text: string, offset: number, limit: number): string {
  if (text === "") return "The file is empty.";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shown = lines.slice(offset - 1, offset - 1 + limit);
  if (shown.length === 0) return `The file has ${lines.length} lines; line ${offset} is beyond its end.`;
  const cut = (line: string): string => (line.length > longestLine ? `${line.slice(0, longestLine)} […]` : line);
  const body = shown.map((line, index) => `${String(offset + index).padStart(6)}\t${cut(line)}`).join("\n");
  const last = offset - 1 + shown.length;
  return last < lines.length ? `${body}\n[${lines.length - last} more lines; read them with offset ${last + 1}]` : body;
}

const imageMarks: readonly (readonly [mark: string, type: ImageMimeType])[] = [
  ["89504e470d0a1a0a", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["47494638", "image/gif"],
];
const largestImage = 4 * 1024 * 1024;

function imageOf(bytes: Uint8Array): (ContentPart & { readonly mimeType: ImageMimeType }) | undefined {
  if (bytes.length > largestImage) return undefined;
  const start = Buffer.from(bytes.subarray(0, 12)).toString("hex");
  const isWebp = start.startsWith("52494646") && start.endsWith("57454250");
  const mimeType = isWebp ? "image/webp" : imageMarks.find(([mark]) => start.startsWith(mark))?.[1];
  return mimeType === undefined
    ? undefined
    : { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType, untrusted: true };
}

export function globTool(copyOf: CopyOf): Tool {
  return builtIn(
    tool({
      name: "glob",
      description: "Finds files of the workspace by a pattern such as `src/**/*.ts`, the newest first; at most 100.",
      inputSchema: fields(
        {
          pattern: { type: "string", maxLength: 500 },
          path: { type: "string", description: "Folder. Default: /workspace." },
        },
        ["pattern"],
      ),
      ...reads,
      execute: (input, ctx) =>
        told(async () => {
          const { pattern, path = root } = input as { readonly pattern: string; readonly path?: string };
          const copy = copyOf(ctx);
          const folder = insidePath(path);
          const isMatch = picomatch(pattern, { dot: true, maxLength: 500 });
          const found: FoundFile[] = [];
          await walk(
            { sandbox: await copy.sandbox(), root: folder, tracked: new Map() },
            (files) => void found.push(...files.filter((file) => isMatch(file.path))),
          );
          const hits = found.toSorted((left, right) => right.entry.changedAt - left.entry.changedAt);
          if (hits.length === 0) return fromCopy(copy, "No file matches.");
          const more = hits.length > mostHits ? `\n[${hits.length - mostHits} more]` : "";
          return fromCopy(
            copy,
            hits
              .slice(0, mostHits)
              .map((hit) => `${folder}/${hit.path}`)
              .join("\n") + more,
          );
        }),
    }),
  );
}

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output_mode?: "content" | "files_with_matches" | "count";
  readonly "-i"?: boolean;
  readonly "-C"?: number;
  readonly head_limit?: number;
}

export function grepTool(copyOf: CopyOf): Tool {
  return builtIn(
    tool({
      name: "grep",
      description:
        "Searches the contents of files with an extended regular expression. `output_mode`: `files_with_matches` (default), `content` with line numbers, or `count`.",
      inputSchema: fields(
        {
          pattern: { type: "string", maxLength: 1_000 },
          path: { type: "string", description: "File or folder. Default: /workspace." },
          glob: { type: "string", description: "Only files of this form, such as *.ts." },
          output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
          "-i": { type: "boolean", description: "Ignores case." },
          "-C": { type: "integer", minimum: 0, maximum: 50, description: "Lines around each hit." },
          head_limit: { type: "integer", minimum: 1, description: "Number of lines of the result. Default 200." },
        },
        ["pattern"],
      ),
      ...reads,
      execute: (input, ctx) =>
        told(async () => {
          const given = input as GrepInput;
          const copy = copyOf(ctx);
          const sandbox = await copy.sandbox();
          const { outputTokens } = copy.limits;
          const { output, code } = await sandbox.exec({
            command: grepCommand(given, copy.isSimulated),
            cwd: root,
            timeoutMs: searchMs,
            outputBytes: outputTokens * 4,
            signal: ctx.signal,
          });
          if (code === null) throw new ToolError("The search took longer than 30 seconds. Search in a smaller folder.");
          const lines = output.split("\n").filter((line) => line !== "");
          const limit = given.head_limit ?? 200;
          if (lines.length === 0) return fromCopy(copy, "No hits.");
          return fromCopy(
            copy,
            lines.slice(0, limit).join("\n") + (lines.length > limit ? `\n[${lines.length - limit} more lines]` : ""),
          );
        }),
    }),
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function grepCommand(input: GrepInput, isSimulated: boolean): string {
  const { pattern, path = root, glob, output_mode: mode = "files_with_matches", "-C": around = 0 } = input;
  const flags = [
    ...(input["-i"] === true ? ["-i"] : []),
    ...(mode === "files_with_matches" ? ["-l"] : mode === "count" ? ["-c"] : ["-n"]),
    ...(mode === "content" && around > 0 ? [`-C ${Math.floor(around)}`] : []),
  ].join(" ");
  const target = `-e ${quoted(pattern)} ${quoted(insidePath(path))}`;
  const only = glob === undefined ? "" : ` -g ${quoted(glob)}`;
  const include = glob === undefined ? "" : ` --include=${quoted(glob)}`;
  const zero = mode === "count" ? " | grep -v ':0$'" : "";
  const grep = `grep ${isSimulated ? "-rE" : "-rIEH"} --exclude-dir=.git --exclude-dir=node_modules ${flags}${include} ${target}${zero}`;
  // The simulated program of this name has other options.
  if (isSimulated) return grep;
  const ripgrep = `rg --hidden --no-heading --with-filename -g '!.git' ${flags}${only} ${target}`;
  return `if command -v rg > /dev/null 2>&1; then ${ripgrep}; else ${grep}; fi`;
}

/** Marks a tool as a part of the framework. */
export function builtIn(made: Tool): Tool {
  return withSource(made, { kind: "built-in", subsystem: "workspace" });
}
