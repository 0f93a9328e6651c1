import { dirname } from "node:path/posix";
import type { WorkspaceSandbox } from "../host/host.ts";
import { root } from "../host/root.ts";
import type { Change } from "../tree/changes.ts";
import type { ObjectStore } from "../tree/object-store.ts";

/** Files that are written at once. */
const atOnce = 16;

type Place = Pick<WorkspaceSandbox, "list" | "write" | "remove">;

/**
 * Writes changes into the copy: removals first.
 *
 * @param sandbox - The place of the copy.
 * @param changes - From the files that are there to those that should be.
 * @param store - Their contents.
 */
export async function fillCopy(
  sandbox: Place,
  changes: readonly Change[],
  store: Pick<ObjectStore, "get">,
): Promise<void> {
  const gone = changes.filter(({ after }) => after === undefined).map(({ path }) => `${root}/${path}`);
  if (gone.length > 0) await sandbox.remove(gone, true);
  const rest = changes.filter(({ after }) => after !== undefined);
  const work = async (): Promise<void> => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) await put(sandbox, one, store);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function put(sandbox: Place, { path, after }: Change, store: Pick<ObjectStore, "get">): Promise<void> {
  if (after === undefined) return;
  const write = (): Promise<void> =>
    sandbox.write(`${root}/${path}`, store.get(after.id), { type: after.mode, follow: false });
  await write().catch(async () => {
    // A folder of ignored files, or a file in place of a folder, is in the way.
    const names = path.split("/");
    for (let depth = 1; depth <= names.length; depth += 1) {
      const above = `${root}/${names.slice(0, depth).join("/")}`;
      const kind = await kindOf(sandbox, above);
      if (depth === names.length || (kind !== "folder" && kind !== undefined)) await sandbox.remove([above], true);
    }
    await write();
  });
}

async function kindOf(sandbox: Place, path: string): Promise<string | undefined> {
  const [entries = []] = await sandbox.list([dirname(path)]);
  return entries.find(({ name }) => path.endsWith(`/${name}`))?.kind;
}
