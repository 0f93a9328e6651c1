import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FolderPlace } from "../apply/apply-tree.ts";
import { runnerSandbox } from "../host/runner-sandbox.ts";
import { spawnRunner } from "../host/spawn-runner.ts";
import { entriesOf, readPiece, beginWrite, removeFile } from "../inside/files.ts";
import type { WorkspaceSandbox } from "../host/host.ts";
import type { ObjectStore } from "../tree/object-store.ts";
import { scan } from "../tree/scan.ts";
import type { WorkspaceSettings } from "../workspace-settings.ts";

/** The user's folder, open for a short time. */
export interface OpenFolder {
  readonly place: FolderPlace;
  /** Path of the folder in the place. */
  readonly root: string;
  close(): Promise<void>;
}

const inside = "/folder";

/**
 * Opens the user's folder in a separate sandbox, in which no command of the model runs: a link in the folder leads to
 * nothing outside. On a machine without sandboxes it is opened directly, and links are never followed.
 *
 * @param writable - For the changes that a person has approved.
 */
export async function openFolder(
  { folder, keep, host }: Pick<WorkspaceSettings, "folder" | "keep" | "host">,
  writable: boolean,
): Promise<OpenFolder> {
  if (host.simulated === true) return { place: directPlace(folder), root: folder, close: () => Promise.resolve() };
  // Only the user of this process can enter this folder, so the sandbox runs as this user, without capabilities.
  const own = join(keep, "own-user");
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const client = await spawnRunner({
    mounts: [
      { source: folder, target: inside, readOnly: !writable },
      { source: own, target: "/own-user", readOnly: true },
    ],
    maxMemoryMB: 1024,
    maxFileMB: 1024,
  });
  return {
    place: runnerSandbox(() => Promise.resolve(client), inside, true),
    root: inside,
    close: () => client.close(),
  };
}

/**
 * Writes the files of a folder into a place that has no mounts.
 *
 * @param mount - The folder, and its path inside.
 */
export async function copyMount(
  sandbox: Pick<WorkspaceSandbox, "write">,
  { source, target }: { readonly source: string; readonly target: string },
  store: ObjectStore,
  diskMB: number,
): Promise<void> {
  const place = directPlace(source);
  const { tree } = await scan({ sandbox: place, root: source, store, tracked: new Map(), cache: new Map(), diskMB });
  for (const [path, { mode, id }] of tree)
    await sandbox.write(`${target}/${path}`, store.get(id), { type: mode, follow: false });
}

function directPlace(folder: string): FolderPlace {
  return {
    list: (paths) =>
      Promise.all(
        paths.map(async (path) =>
          (await entriesOf(path)).map(([name, kind, size, executable, stamp, changedAt]) => ({
            name,
            kind,
            size,
            executable,
            stamp,
            changedAt,
          })),
        ),
      ),
    read: async (path, follow) => (await readPiece(path, { offset: 0, length: 1024 * 1024 * 1024, follow }))?.bytes,
    async write(path, content, kind) {
      const file = await beginWrite(path, { ...kind, durable: true });
      await file.add(content);
      await file.finish();
    },
    async remove(paths, recursive) {
      for (const path of paths) await removeFile(path, folder, recursive);
    },
  };
}
