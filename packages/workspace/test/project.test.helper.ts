import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Agent, memoryStore, type AgentOptions, type RunOutput } from "@bailiwick/agent";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { onTestFinished } from "vitest";
import { workspace, type Workspace, type WorkspaceOptions } from "../src/index.ts";

/** A folder that is removed with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-workspace-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes files below a folder. */
export function filesIn(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Every file below a folder, with links as their targets. */
export function contentOf(folder: string, prefix = ""): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = join(prefix, entry.name);
    if (entry.isDirectory()) Object.assign(found, contentOf(folder, path));
    else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
    else if (entry.isFile()) found[path] = readFileSync(join(folder, path), "latin1");
    else found[path] = "special";
  }
  return found;
}

/** A project and a workspace over it, with its copies in another folder. */
export async function openProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: WorkspaceOptions = {},
  prepare?: (folder: string) => void,
): Promise<{ readonly folder: string; readonly keep: string; readonly ws: Workspace }> {
  const [folder, keep] = [temporaryFolder(), temporaryFolder()];
  filesIn(folder, files);
  prepare?.(folder);
  const ws = await workspace(folder, { keep, ...options });
  onTestFinished(() => ws.close());
  return { folder, keep, ws };
}

/** A step of the model that calls a tool. */
export const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptStep => ({
  toolCalls: [{ name, arguments: args }],
});

/** An agent with a workspace, whose model follows a script. */
export function coderOf(
  ws: Pick<Workspace, "extension">,
  steps: readonly (ScriptStep | string)[],
  options: Partial<AgentOptions> = {},
): { readonly coder: Agent; readonly model: ReturnType<typeof scriptedModel> } {
  const model = scriptedModel([...steps]);
  const coder = new Agent({
    name: "coder",
    model,
    store: memoryStore(),
    flow: { mode: "enforce", planner: false },
    extensions: [ws.extension],
    ...options,
  });
  return { coder, model };
}

/** Results of tools that the model has read, as one text for each call. */
export function resultsOf(output: Pick<RunOutput, "toolCalls">): readonly string[] {
  return output.toolCalls.map(({ output: text, error }) => error?.message ?? String(text));
}
