import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Readers } from "@bailiwick/core/extension";
import { compareFolder, writeChanges } from "../apply/apply-tree.ts";
import { mergedText } from "../apply/merge-meanwhile.ts";
import { root } from "../host/root.ts";
import type { WorkspaceSandbox } from "../host/host.ts";
import { changesOf, diffText, shownPath, type Change } from "../tree/changes.ts";
import { objectStore, type ObjectStore, type Tree, type TreeEntry } from "../tree/object-store.ts";
import { scan, type Scan, type ScanCache } from "../tree/scan.ts";
import { WorkspaceError } from "../workspace-error.ts";
import type { WorkspaceSettings } from "../workspace-settings.ts";
import { takeLock } from "./copy-lock.ts";
import { readState, joinReaders, mostSnapshots, writeState, type CopyState, type Snapshot } from "./copy-state.ts";
import { copyMount, openFolder } from "./folder-place.ts";
import { fillCopy } from "./fill-copy.ts";
import { historyOf } from "./git-history.ts";
import { mountsOfCopy } from "./mounts-of-copy.ts";
import { ownedFolder } from "./owned-folder.ts";
import { placeOf, type CopyOwner } from "./place-of.ts";
import { readNotes, type ReadNotes } from "./read-notes.ts";
import { runSetup } from "./setup.ts";

/** A call that changes the copy. */
export interface ChangingCall {
  /** Key of the call. */
  readonly key: string;
  readonly tool: string;
  /** Readers of what the call writes. */
  readonly readers: Readers;
}

/** The copy of one session, while this process works on it. */
export class OpenCopy {
  readonly place: string;
  readonly store: ObjectStore;
  readonly #settings: WorkspaceSettings;
  readonly #owner: CopyOwner;
  #sandbox: Promise<WorkspaceSandbox> | undefined;
  readonly #cache: ScanCache = new Map();
  #queue: Promise<unknown> = Promise.resolve();
  #state: CopyState | undefined;
  readonly #reads: ReadNotes;

  constructor(settings: WorkspaceSettings, owner: CopyOwner) {
    this.#settings = settings;
    this.#owner = owner;
    this.place = placeOf(settings.keep, owner);
    this.store = objectStore(join(this.place, "objects"));
    this.#reads = readNotes(join(this.place, "reads.json"));
  }

  /** True once the folder was copied. */
  get exists(): boolean {
    return readState(this.#file) !== undefined;
  }

  /** True if programs of the machine do not run. */
  get isSimulated(): boolean {
    return this.#settings.host.simulated === true;
  }

  get limits(): WorkspaceSettings["limits"] {
    return this.#settings.limits;
  }

  /** Remembers the content of a file that a run has read. */
  noteRead(runId: string, path: string, id: string): void {
    this.#reads.note(`${runId} ${path}`, id);
  }

  /** Content of a file when a run read it last. */
  readId(runId: string, path: string): string | undefined {
    return this.#reads.of(`${runId} ${path}`);
  }

  get #file(): string {
    return join(this.place, "copy.json");
  }

  /** The state, as the last call of any process left it. */
  get state(): CopyState {
    const state = readState(this.#file) ?? this.#state;
    if (state === undefined)
      throw new WorkspaceError("WORKSPACE_GONE", `The copy of session "${this.#owner.sessionId}" was deleted.`);
    return state;
  }

  update(change: Partial<CopyState>): void {
    this.#state = { ...this.state, ...change, usedAt: Date.now() };
    writeState(this.#file, this.#state);
  }

  /** The place of the model's work; opened, and filled from the folder, at the first use. */
  sandbox(): Promise<WorkspaceSandbox> {
    this.#sandbox ??= this.#open();
    this.#sandbox.catch(() => (this.#sandbox = undefined));
    return this.#sandbox;
  }

  async #open(): Promise<WorkspaceSandbox> {
    const release = await takeLock(join(this.place, "lock"));
    try {
      const known = readState(this.#file);
      if (known === undefined) return await this.#begin();
      this.#state = known;
      const sandbox = await this.#openPlace(known);
      if (this.#settings.host.simulated === true) await this.#fill(sandbox, this.store.getTree(known.head));
      return sandbox;
    } finally {
      release();
    }
  }

  /** Copies the folder: its files that are not ignored, and its history. */
  async #begin(): Promise<WorkspaceSandbox> {
    const settings = this.#settings;
    const folder = await openFolder(settings, false);
    let found: Scan;
    let history: Awaited<ReturnType<typeof historyOf>>;
    try {
      history = await historyOf(folder.place, folder.root);
      const tracked = new Set([...history.tracked, ...settings.include]);
      const request = {
        sandbox: folder.place,
        root: folder.root,
        store: this.store,
        tracked,
        cache: new Map(),
        diskMB: settings.limits.diskMB,
      };
      found = await scan(request);
    } finally {
      await folder.close();
    }
    for (const path of settings.include)
      if (!found.tree.has(path))
        throw new WorkspaceError(
          "INVALID_OPTION",
          `workspace(): include names "${path}", and the folder has no such file.`,
        );
    if (found.special > 0)
      settings.warn(`${found.special} sockets, pipes or devices of ${settings.folder} were not copied.`);
    const base = this.store.putTree(found.tree);
    const made = await runSetup(settings, { place: this.place, tree: found.tree, store: this.store });
    const state: CopyState = {
      id: randomUUID(),
      tenantId: this.#owner.tenantId,
      sessionId: this.#owner.sessionId,
      folder: settings.folder,
      base,
      head: base,
      readers: "public",
      cwd: root,
      calls: [],
      applied: [],
      made,
      modules: found.modules,
      objects: history.objects,
      notCopied: found.ignored.filter((path) => !settings.include.includes(path)),
      hasNamedThem: false,
      usedAt: Date.now(),
    };
    const sandbox = await this.#openPlace(state);
    await this.#fill(sandbox, found.tree);
    if (settings.host.simulated !== true)
      for (const { path, bytes } of history.files)
        await sandbox.write(`${root}/.git/${path}`, bytes, { type: "file", follow: false });
    this.#state = state;
    writeState(this.#file, state);
    return sandbox;
  }

  async #openPlace(state: CopyState): Promise<WorkspaceSandbox> {
    const { host, folder, env, hosts, limits, mounts } = this.#settings;
    const files = join(this.place, "files");
    const all = host.simulated === true ? [] : [...mountsOfCopy(this.place, folder, state), ...mounts];
    ownedFolder(
      files,
      all.map(({ source }) => source),
    );
    this.#settings.isStarted.value = true;
    const sandbox = await host.open({
      id: state.id,
      folder: files,
      mounts: all,
      env,
      hosts,
      limits,
    });
    // Files in memory have no mounts: their content is read once.
    if (host.simulated === true) for (const mount of mounts) await copyMount(sandbox, mount, this.store, limits.diskMB);
    return sandbox;
  }

  /** Makes the copy equal to a tree. */
  async #fill(sandbox: WorkspaceSandbox, tree: Tree): Promise<void> {
    const { tree: now } = await this.#scan(sandbox, tree);
    await fillCopy(sandbox, changesOf(now, tree), this.store);
  }

  #scan(sandbox: WorkspaceSandbox, tracked: Tree): Promise<Scan> {
    const { limits } = this.#settings;
    return scan({ sandbox, root, store: this.store, tracked, cache: this.#cache, diskMB: limits.diskMB });
  }

  /** The tree of the copy now. */
  async tree(): Promise<{ readonly id: string; readonly tree: Tree }> {
    const sandbox = await this.sandbox();
    const known = new Map([...this.store.getTree(this.state.base), ...this.store.getTree(this.state.head)]);
    const { tree } = await this.#scan(sandbox, known);
    const id = this.store.putTree(tree);
    if (id !== this.state.head) this.update({ head: id });
    return { id, tree };
  }

  /** Runs one after the other, in this process and across processes. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      await this.sandbox();
      const release = await takeLock(join(this.place, "lock"));
      try {
        return await work();
      } finally {
        release();
      }
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Runs a call that changes the copy: from a snapshot, which is restored first if the call was started before.
   *
   * @returns The result, and true if it was started before.
   * @throws WorkspaceError `WORKSPACE_INTERRUPTED` if it was started before on a host whose commands can reach the
   *   snapshots.
   */
  async change<T>(
    { key, tool, readers }: ChangingCall,
    work: (sandbox: WorkspaceSandbox) => Promise<T>,
  ): Promise<{ readonly result: T; readonly isRepeated: boolean }> {
    return this.alone(async () => {
      const sandbox = await this.sandbox();
      const hash = createHash("sha256").update(key).digest("hex");
      const known = this.state.calls.find((call) => call.key === hash);
      if (known !== undefined) {
        if (!this.#settings.host.enforces.snapshots)
          throw new WorkspaceError(
            "WORKSPACE_INTERRUPTED",
            "This command was interrupted; look at the files before you run it again.",
          );
        await this.#fill(sandbox, this.store.getTree(known.tree));
      } else {
        const { id } = await this.tree();
        const calls = [...this.state.calls, { key: hash, tree: id, tool, at: Date.now() }].slice(-mostSnapshots);
        this.update({ calls, readers: joinReaders(this.state.readers, readers) });
      }
      const result = await work(sandbox);
      if (this.#settings.host.simulated === true) await this.tree();
      return { result, isRepeated: known !== undefined };
    });
  }

  /** The changes that `apply_changes` would write now. */
  async pending(): Promise<{ readonly base: string; readonly tree: string; readonly changes: readonly Change[] }> {
    const { id, tree } = await this.tree();
    const { base } = this.state;
    return { base, tree: id, changes: changesOf(this.store.getTree(base), tree) };
  }

  /**
   * Writes a tree into the user's folder.
   *
   * @param key - Key of the call: a repetition under it continues.
   * @throws WorkspaceError `CHANGED_MEANWHILE` if a path of the folder is neither as in the base nor as in the tree.
   */
  async apply(base: string, tree: string, key: string): Promise<readonly Change[]> {
    const changes = changesOf(this.store.getTree(base), this.store.getTree(tree));
    const isDone = this.state.applied.at(-1)?.key === key;
    if (this.state.base !== base && !isDone)
      throw new WorkspaceError(
        "CHANGED_MEANWHILE",
        "Other changes of this copy were applied since this diff was shown. Nothing was written. Apply again with a new diff.",
      );
    const folder = await openFolder(this.#settings, true);
    try {
      const moved = await compareFolder(folder.place, folder.root, changes);
      if (moved.length > 0) {
        const paths = moved.map(({ path }) => path);
        await this.#takeIn(moved, changes, base);
        throw new WorkspaceError("CHANGED_MEANWHILE", changedText(paths));
      }
      await writeChanges(folder.place, folder.root, changes, this.store);
    } finally {
      await folder.close();
    }
    if (!isDone)
      this.update({
        base: tree,
        applied: [...this.state.applied, { from: base, to: tree, at: Date.now(), key }].slice(-50),
      });
    return changes;
  }

  /** Merges the folder's versions into the copy; the next diff is against them. */
  async #takeIn(
    moved: Awaited<ReturnType<typeof compareFolder>>,
    changes: readonly Change[],
    base: string,
  ): Promise<void> {
    const sandbox = await this.sandbox();
    const next = new Map<string, TreeEntry>(this.store.getTree(base));
    for (const one of moved) {
      const { path, now } = one;
      const change = changes.find((other) => other.path === path);
      if (change === undefined) continue;
      if (now === undefined) next.delete(path);
      else next.set(path, { mode: now.mode, id: this.store.put(now.bytes), size: now.bytes.length });
      const text = mergedText(one, change, this.store);
      if (text !== undefined)
        await sandbox.write(`${root}/${path}`, new TextEncoder().encode(text), {
          type: change.after?.mode ?? "file",
          follow: false,
        });
    }
    this.update({ base: this.store.putTree(next) });
  }

  /** Writes the base of the last applied changes back into the folder, under the same comparison. */
  async undo(): Promise<readonly Change[]> {
    const last = this.state.applied.at(-1);
    if (last === undefined)
      throw new WorkspaceError(
        "WORKSPACE_NOTHING_TO_UNDO",
        "No changes of this copy were applied, so there is nothing to undo.",
      );
    const changes = changesOf(this.store.getTree(last.to), this.store.getTree(last.from));
    const folder = await openFolder(this.#settings, true);
    try {
      const moved = await compareFolder(folder.place, folder.root, changes);
      if (moved.length > 0)
        throw new WorkspaceError(
          "CHANGED_MEANWHILE",
          `The folder has changed since the changes were applied: ${moved.map(({ path }) => shownPath(path)).join(", ")}. Nothing was written.`,
        );
      await writeChanges(folder.place, folder.root, changes, this.store);
    } finally {
      await folder.close();
    }
    const next = new Map(this.store.getTree(this.state.base));
    for (const { path, after } of changes) {
      if (after === undefined) next.delete(path);
      else next.set(path, after);
    }
    this.update({ base: this.store.putTree(next), applied: this.state.applied.slice(0, -1) });
    return changes;
  }

  async diff(): Promise<string> {
    const { changes } = await this.pending();
    return diffText(changes, this.store);
  }

  snapshots(): readonly Snapshot[] {
    return this.state.calls.map(({ tree, tool, at }) => ({ id: tree, tool, at }));
  }

  /** @throws WorkspaceError `WORKSPACE_SNAPSHOT_GONE` */
  async restore(id: string): Promise<void> {
    await this.alone(async () => {
      await this.#fill(await this.sandbox(), this.store.getTree(id));
      await this.tree();
    });
  }

  /** Ends the sandbox, and deletes what no snapshot needs. */
  async close(): Promise<void> {
    const opened = await this.#sandbox?.catch(() => undefined);
    this.#sandbox = undefined;
    await opened?.close();
    const state = readState(this.#file);
    if (state === undefined) return;
    const trees = [
      state.base,
      state.head,
      ...state.calls.map(({ tree }) => tree),
      ...state.applied.flatMap(({ from, to }) => [from, to]),
    ];
    const release = await takeLock(join(this.place, "lock"));
    try {
      this.store.keepOnly(trees);
    } finally {
      release();
    }
  }
}

function changedText(paths: readonly string[]): string {
  return `The folder has changed since the copy was made: ${paths.slice(0, 20).map(shownPath).join(", ")}. Nothing was written. The folder's versions were merged into the copy, with conflict marks where both changed the same lines. Read these files, resolve the marks, and apply again.`;
}
