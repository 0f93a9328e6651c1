import { join } from "node:path";
import { mkdirSync, rmSync } from "node:fs";
import { runnerSandbox } from "../host/runner-sandbox.ts";
import { root } from "../host/root.ts";
import { spawnRunner } from "../host/spawn-runner.ts";
import type { ObjectStore, Tree } from "../tree/object-store.ts";
import { WorkspaceError } from "../workspace-error.ts";
import type { WorkspaceSettings } from "../workspace-settings.ts";
import { ownedFolder } from "./owned-folder.ts";

/** Manifests and lock files of package managers, in any folder. */
const manifests =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|deno\.jsonc?|deno\.lock|requirements.*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile|Pipfile\.lock|Cargo\.toml|Cargo\.lock|go\.mod|go\.sum|Gemfile|Gemfile\.lock|composer\.json|composer\.lock)$/u;
const longestMs = 900_000;

/**
 * Runs `setup` over a copy of the manifests alone, so that the install script of a dependency sees no source file.
 *
 * @returns The folders that it made.
 * @throws WorkspaceError `WORKSPACE_SETUP_FAILED`
 */
export async function runSetup(
  { setup, setupHosts, setupFiles, limits, env }: WorkspaceSettings,
  { place, tree, store }: { readonly place: string; readonly tree: Tree; readonly store: ObjectStore },
): Promise<readonly string[]> {
  if (setup === undefined) return [];
  for (const path of setupFiles ?? [])
    if (!tree.has(path))
      throw new WorkspaceError(
        "INVALID_OPTION",
        `workspace(): setupFiles names "${path}", and the folder has no such file.`,
      );
  const files = setupFiles ?? [...tree.keys()].filter((path) => manifests.test(path));
  const folder = join(place, "setup");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  ownedFolder(folder, []);
  const client = await spawnRunner({
    mounts: [{ source: folder, target: root, readOnly: false }],
    allowNetwork: { hosts: setupHosts, loopback: true },
    env: { ...env, LANG: "C.UTF-8" },
    maxMemoryMB: Math.max(limits.memoryMB, 2_048),
    maxProcesses: limits.processes,
    maxFileMB: limits.fileMB,
    maxDiskMB: limits.diskMB,
  });
  try {
    const sandbox = runnerSandbox(() => Promise.resolve(client), root);
    for (const path of files) {
      const entry = tree.get(path);
      if (entry !== undefined)
        await sandbox.write(`${root}/${path}`, store.get(entry.id), { type: entry.mode, follow: false });
    }
    const { code, ended, output } = await sandbox.exec({
      command: setup,
      cwd: root,
      timeoutMs: longestMs,
      outputBytes: 64_000,
    });
    if (code !== 0)
      throw new WorkspaceError(
        "WORKSPACE_SETUP_FAILED",
        `setup ended with ${ended ?? `code ${code}`}:\n${output.trimEnd().split("\n").slice(-40).join("\n")}`,
      );
    const given = new Set(
      files.flatMap((path) => path.split("/").map((_, depth, names) => names.slice(0, depth + 1).join("/"))),
    );
    return await foldersMade(sandbox, given);
  } finally {
    await client.close();
  }
}

async function foldersMade(
  sandbox: Pick<ReturnType<typeof runnerSandbox>, "list">,
  given: ReadonlySet<string>,
): Promise<readonly string[]> {
  const made: string[] = [];
  let level: readonly string[] = [""];
  while (level.length > 0) {
    const lists = await sandbox.list(level.map((path) => `${root}/${path}`.replace(/\/$/u, "")));
    const next: string[] = [];
    for (const [at, entries] of lists.entries()) {
      for (const { name, kind } of entries) {
        const path = `${level[at] === "" ? "" : `${level[at]}/`}${name}`;
        if (kind === "folder") (given.has(path) ? next : made).push(path);
      }
    }
    level = next;
  }
  return made;
}
