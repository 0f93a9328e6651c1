import { spawnSync } from "node:child_process";
import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import {
  BlobNotFoundError,
  FencedError,
  RunNotFoundError,
  SessionNotFoundError,
  StoreError,
  createAgentRuntime,
  tool,
} from "@bailiwick/core";
import { chainHash, recordText } from "@bailiwick/core/store";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { commitsIn } from "./commits-in.fixture.ts";
import { note, record } from "./records.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const sources = fileURLToPath(new URL(".", import.meta.url));

/** Runs a program with a store in its own process. */
function inProcess(
  folder: string,
  text: string,
  preloaded: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly said: string } {
  const file = join(folder, "program.ts");
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=@bailiwick/source",
      "--disable-warning=ExperimentalWarning",
      ...preloaded.flatMap((program) => ["--import", program]),
      file,
    ],
    { encoding: "utf8", timeout: 200_000, env: { ...process.env, ...environment } },
  );
  return { status, said: stdout + stderr };
}

/** The threads of the stores that are opened from now on, as they start. */
function threadsFromNow(): { readonly threads: Worker[] } & Disposable {
  const threads: Worker[] = [];
  const listen = (worker: Worker): void => void threads.push(worker);
  process.on("worker", listen);
  return { threads, [Symbol.dispose]: () => process.off("worker", listen) };
}

test.each(["many", "one"] as const)(
  "the end of a thread fails its open calls, and the store continues in another (processes: %s) [store.thread]",
  async (processes) => {
    using folder = temporaryFolder();
    using started = threadsFromNow();
    const warnings: string[] = [];
    const logger = { warn: (text: string) => void warnings.push(text) };
    await using store = sqliteStore({ path: folder.file, processes, logger });
    const { lease } = await store.create(record("r1"), { owner: "me", ttlMs: 60_000 });
    if (lease === undefined) throw new Error("The lease is not free.");
    for (let end = 1; end <= 3; end += 1) {
      const known = (await store.load("r1")).length;
      const head = (await store.getRun("r1"))?.head ?? lease.head;
      // A write that takes a while, and a later read.
      const records = Array.from({ length: 500 }, (_, n) => note("r1", head.seq + 1 + n));
      const pending = [store.append({ ...lease, head }, records), store.getRun("r1")].map(thrownBy);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      await started.threads.at(-1)?.terminate();
      for (const error of await Promise.all(pending)) {
        // Calls that were answered before the end stay answered.
        if (error === undefined) continue;
        expect(StoreError.isInstance(error) && error.code).toBe("STORE_THREAD_ENDED");
        expect((error as Error).message).toContain("The next call starts another one");
      }
      // All of it is stored, or none.
      expect([known, known + 500]).toContain((await store.load("r1")).length);
      expect(started.threads).toHaveLength(end + 1);
      expect(warnings).toHaveLength(end);
    }
    expect(warnings[0]).toContain("continues in another thread");
    // Several calls at once are the first ones of one thread.
    await started.threads.at(-1)?.terminate();
    expect((await Promise.all([store.getRun("r1"), store.getRun("r1")])).map((run) => run?.id)).toEqual(["r1", "r1"]);
    expect(started.threads).toHaveLength(5);
  },
);

test("a thread that ends before its first answer is not restarted, and closing still works [store.thread]", async () => {
  using folder = temporaryFolder();
  using started = threadsFromNow();
  const store = sqliteStore({ path: folder.file });
  const other = new DatabaseSync(folder.file);
  // The thread waits for the lock, and answers nothing.
  other.exec("BEGIN IMMEDIATE");
  const first = thrownBy(store.create(record("r1")));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await started.threads.at(-1)?.terminate();
  other.exec("ROLLBACK");
  other.close();
  for (const error of [await first, await thrownBy(store.getRun("r1"))]) {
    expect(StoreError.isInstance(error) && error.code).toBe("STORE_THREAD_ENDED");
    expect((error as Error).message).toContain("Open the store again");
  }
  expect(started.threads).toHaveLength(1);
  await store.close();
  await using again = sqliteStore({ path: folder.file });
  expect(await again.listRuns({})).toEqual([]);
});

test("an in-memory store is lost with its thread and reports it; a closed store cannot be reopened [store.thread]", async () => {
  using folder = temporaryFolder();
  using started = threadsFromNow();
  const inMemory = sqliteStore({ path: ":memory:" });
  await inMemory.create(record("r1"));
  await started.threads.at(-1)?.terminate();
  expect(await thrownBy(inMemory.getRun("r1"))).toMatchObject({
    code: "STORE_THREAD_ENDED",
    message: expect.stringContaining("Open the store again") as string,
  });
  await inMemory.close();
  const store = sqliteStore({ path: folder.file });
  await store.create(record("r1"));
  await started.threads.at(-1)?.terminate();
  const asked = store.getRun("r1");
  await store.close();
  expect((await asked)?.id).toBe("r1");
  expect(await thrownBy(store.getRun("r1"))).toMatchObject({ code: "STORE_CLOSED" });
});

test("a thread that runs out of memory ends alone: its process and its store continue [store.thread]", () => {
  using folder = temporaryFolder();
  const { status, said } = inProcess(
    folder.path,
    `import { sqliteStore } from ${JSON.stringify(join(sources, "index.ts"))};
    const store = sqliteStore({ path: ${JSON.stringify(folder.file)}, logger: { warn: () => console.log("another thread") } });
    await store.create(${JSON.stringify(record("r1"))});
    await store.getRun("poison").catch((error) => console.log(error.code, /memory/.test(error.message)));
    console.log(await store.getRun("poison"), (await store.getRun("r1")).id);
    await store.close();`,
    [new URL("end-thread-once.fixture.ts", import.meta.url).href],
    { THREAD_ENDED_ONCE: join(folder.path, "ended"), NODE_OPTIONS: "--max-old-space-size=48" },
  );
  expect({ status, said: said.split("\n").filter((line) => !line.startsWith("<") && line.trim() !== "") }).toEqual({
    status: 0,
    said: expect.arrayContaining(["STORE_THREAD_ENDED true", "another thread", "undefined r1"]) as string[],
  });
});

test("a run whose store loses its thread during an effect continues from the file, in the same process, and asks before it repeats anything [store.thread] [effects.journal-unavailable]", async () => {
  for (const when of ["before the effect", "after the effect"]) {
    using folder = temporaryFolder();
    using started = threadsFromNow();
    await using store = sqliteStore({ path: folder.file, logger: { warn: () => undefined } });
    const ran: string[] = [];
    let ended = false;
    const end = async (now: string): Promise<void> => {
      if (ended || now !== when) return;
      ended = true;
      await started.threads.at(-1)?.terminate();
    };
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      execute: async () => {
        await end("before the effect");
        ran.push("paid");
        // The outcome is delivered, and the thread ends with it.
        void end("after the effect");
        return "paid";
      },
    });
    const model = scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "pay", arguments: {} }] } : "Done.",
    );
    const agent = createAgentRuntime({ name: "agent", model, tools: [pay], store });
    const failure = (await thrownBy(agent.run("Pay."))) as
      | { readonly code?: string; readonly runId: string }
      | undefined;
    if (failure !== undefined) {
      expect(failure).toMatchObject({ code: "JOURNAL_UNAVAILABLE", uncertainCalls: [{ toolName: "pay" }] });
      let output = await agent.resume(failure.runId);
      if (output.status === "suspended")
        output = await agent.resume(failure.runId, [output.interruptions[0]!.itHappened("paid")]);
      expect(output).toMatchObject({ status: "completed", text: "Done." });
    }
    expect(ran).toEqual(["paid"]);
    expect((await store.listRuns({})).map(({ state }) => state)).toEqual(["completed"]);
    expect(started.threads).toHaveLength(2);
  }
});

test("a store that is never closed lets its process end, and a write that is under way keeps it until it is answered", async () => {
  using folder = temporaryFolder();
  const { status, said } = inProcess(
    folder.path,
    `import { sqliteStore } from ${JSON.stringify(join(sources, "index.ts"))};
    const store = sqliteStore({ path: ${JSON.stringify(folder.file)} });
    const run = ${JSON.stringify(record("r1"))};
    store.create(run).then(() => console.log("created"));`,
  );
  expect({ status, said }).toEqual({ status: 0, said: "created\n" });
  await using store = sqliteStore({ path: folder.file });
  expect(await store.getRun("r1")).toBeDefined();
});

test("while a commit waits for a slow disk, the event loop continues [store.append.event-loop]", () => {
  using folder = temporaryFolder();
  const { said } = inProcess(
    folder.path,
    `import { sqliteStore } from ${JSON.stringify(join(sources, "index.ts"))};
    const store = sqliteStore({ path: ${JSON.stringify(folder.file)} });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await store.create(${JSON.stringify(record("r1"))});
    clearInterval(timer);
    await store.close();
    console.log(turns > 5 ? "continued" : "blocked", turns);`,
    [new URL("slow-commit.fixture.ts", import.meta.url).href],
  );
  expect(said).toMatch(/^continued/);
});

test("without the thread's program, as in a bundle, opening fails with an error that names the remedy", () => {
  using folder = temporaryFolder();
  cpSync(sources, join(folder.path, "src"), { recursive: true });
  rmSync(join(folder.path, "src", "database.worker.ts"));
  symlinkSync(join(sources, "..", "node_modules"), join(folder.path, "node_modules"));
  const { said } = inProcess(
    folder.path,
    `import { sqliteStore } from "./src/index.ts";
    try { sqliteStore({ path: ${JSON.stringify(folder.file)} }); }
    catch (error) { console.log(error.name, error.code, error.message); }`,
  );
  expect(said).toMatch(
    /^StoreError STORE_THREAD_UNAVAILABLE .*database\.worker\.ts.*leave @bailiwick\/store-sqlite out of the bundle/,
  );
});

test("if the thread cannot load its program, the error gives the reason", () => {
  using folder = temporaryFolder();
  cpSync(sources, join(folder.path, "src"), { recursive: true });
  // The thread alone imports it: the caller's thread has the rest, for `thread: false`.
  rmSync(join(folder.path, "src", "database", "serve-database.ts"));
  symlinkSync(join(sources, "..", "node_modules"), join(folder.path, "node_modules"));
  const { said } = inProcess(
    folder.path,
    `import { sqliteStore } from "./src/index.ts";
    try { sqliteStore({ path: ${JSON.stringify(folder.file)} }); }
    catch (error) { console.log(error.name, error.code, error.message); }`,
  );
  expect(said).toMatch(/^StoreError STORE_THREAD_UNAVAILABLE .*serve-database/);
});

test("errors cross the thread boundary as the core's error classes, with their fields", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file, lockTimeoutMs: 30 });
  await store.create(record("r1"));
  const lease = await store.acquire("r1", "me", 60_000);
  if (lease === null) throw new Error("The lease is not free.");
  const fenced = await thrownBy(store.append({ ...lease, epoch: 9 }, [note("r1", 1)]));
  expect(fenced).toBeInstanceOf(FencedError);
  expect(fenced).toMatchObject({ name: "FencedError", code: "FENCED", runId: "r1" });
  expect(await thrownBy(store.load("nobody"))).toEqual(new RunNotFoundError("nobody", store.name));
  expect(await thrownBy(store.getBlob("0".repeat(64)))).toEqual(new BlobNotFoundError("0".repeat(64)));
  expect(await thrownBy(store.sessions.export("none", { tenantId: "t1" }))).toEqual(
    new SessionNotFoundError("none", { tenantId: "t1" }),
  );
  const again = await thrownBy(store.create(record("r1")));
  expect(again).toBeInstanceOf(StoreError);
  expect(again).toMatchObject({ code: "RUN_EXISTS", runId: "r1" });
  expect(await thrownBy(store.listRuns({ limit: "few" as unknown as number }))).toMatchObject({
    code: "STORE_FAILED",
    cause: { name: "Error", code: "ERR_SQLITE_ERROR", errcode: 20, errstr: "datatype mismatch" },
  });
});

test("a value that cannot cross to the thread fails its call alone", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const [first, second, third] = await Promise.all([
    store.create(record("r1")),
    thrownBy(store.getRun((() => "r1") as unknown as string)),
    store.getRun("r2"),
  ]);
  expect(first).toMatchObject({ created: true });
  expect(second).toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("could not be cloned") });
  expect(third).toBeUndefined();
});

test("bytes are stored as they were at the time of the call, and still belong to the caller", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const pooled = Buffer.from("a small part of a larger buffer");
  const view = new Uint8Array(new ArrayBuffer(100), 10, 20).fill(7);
  const putting = Promise.all([store.putBlob(pooled), store.putBlob(view)]);
  pooled.fill(0);
  view.fill(0);
  const [first, second] = await putting;
  expect(pooled).toHaveLength(31);
  expect(view).toHaveLength(20);
  expect(new TextDecoder().decode(await store.getBlob(first))).toBe("a small part of a larger buffer");
  expect(await store.getBlob(second)).toEqual(new Uint8Array(20).fill(7));
});

test("a blob whose record never arrived is removed after its time, if a run that had the same bytes was deleted [store.queries]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const bytes = new Uint8Array([1]);
  const { lease } = await store.create(record("r"), { owner: "me", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("The lease is not free.");
  const hash = await store.putBlob(bytes);
  const alone = await store.putBlob(new Uint8Array([2]));
  await store.append(lease, [{ ...note("r", 1), text: `read ${hash}` } as ReturnType<typeof note>]);
  await store.putBlob(bytes);
  await store.deleteRun("r");
  expect(await store.getBlob(hash)).toEqual(bytes);
  const database = new DatabaseSync(folder.file);
  database.exec("PRAGMA busy_timeout = 60000; UPDATE awaited_blobs SET until = 1");
  await store.putBlob(new Uint8Array([3]));
  await expect(store.getBlob(hash)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
  expect(await store.getBlob(alone)).toEqual(new Uint8Array([2]));
  expect(database.prepare("SELECT count(*) AS n FROM awaited_blobs").get()).toEqual({ n: 1 });
  database.close();
});

test("the appends of hundreds of runs in one turn of the event loop are one transaction [store.append.group-commit]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const leases = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const { lease } = await store.create(record(`r${n}`), { owner: "me", ttlMs: 60_000 });
      if (lease === undefined) throw new Error("The lease is not free.");
      return lease;
    }),
  );
  const before = commitsIn(`${folder.file}-wal`);
  await Promise.all(leases.map((lease) => store.append(lease, [note(lease.runId, 1)])));
  expect(commitsIn(`${folder.file}-wal`) - before).toBe(1);
});

test("thousands of calls at once are all answered, each with its own answer", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const ids = Array.from({ length: 3_000 }, (_, n) => `r${n}`);
  const made = await Promise.all(ids.map((id) => store.create(record(id))));
  expect(made.map(({ run }) => run.id)).toEqual(ids);
  const found = await Promise.all(ids.map((id) => store.getRun(id)));
  expect(found.map((run) => run?.id)).toEqual(ids);
});

test("the chain that the thread makes is the core's [journal.hash-chain]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const { lease } = await store.create(record("r1"), { owner: "me", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("The lease is not free.");
  const events = [note("r1", 1), note("r1", 2), { ...note("r1", 3), hook: "ünïcode 🌷 \ud800" }];
  const hasher = defaultHasher();
  const expected = events.reduce((head, event) => chainHash(hasher, head, recordText(event)), "");
  expect(await store.append(lease, events)).toEqual({ seq: 3, hash: expected });
});

test("a session's state is merged by key, also if keys look like internal markers", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const run = (seq: number, state: Record<string, unknown>) =>
    store.sessions.append("s", [], { runId: "r", seq, state });
  const stateNow = async () => (await store.sessions.load("s")).state;
  await run(1, { lang: "en", bytes: new Uint8Array([1, 2]) });
  await run(2, { $bytes: "not bytes", lang: "de" });
  expect(await stateNow()).toEqual({ lang: "de", bytes: new Uint8Array([1, 2]), $bytes: "not bytes" });
  await store.sessions.append("t", [], { runId: "r", seq: 1, state: { $escaped: 1n } });
  await store.sessions.append("t", [], { runId: "r", seq: 2, state: { $blob: { $bytes: "AQ==" } } });
  expect((await store.sessions.load("t")).state).toEqual({ $escaped: 1n, $blob: { $bytes: "AQ==" } });
});

test("a store in memory is kept by its thread alone", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  await using other = sqliteStore({ path: ":memory:" });
  expect(store.durable).toBe(false);
  await store.create(record("r1"));
  expect(await store.getRun("r1")).toBeDefined();
  expect(await other.getRun("r1")).toBeUndefined();
});

test.each([
  ["-e", ["--input-type=module", "-e"], ""],
  ["-e with the flag's value apart", ["--input-type", "module", "-e"], ""],
  ["-e with the flag in NODE_OPTIONS", ["-e"], "--disable-warning=ExperimentalWarning --input-type=module"],
  ["standard input", ["--input-type=module", "-"], ""],
  ["standard input with TypeScript", ["--input-type=module-typescript", "-"], ""],
])("a store opens in a program given by %s [store.open.evaluated]", (_, flags, more) => {
  using folder = temporaryFolder();
  const text = `import { sqliteStore } from ${JSON.stringify(join(sources, "index.ts"))};
    const store = sqliteStore({ path: ${JSON.stringify(folder.file)} });
    await store.create(${JSON.stringify(record("r1"))});
    console.log((await store.getRun("r1")).id);
    await store.close();`;
  const evaluated = flags.at(-1) === "-e";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", ...flags, ...(evaluated ? [text] : [])],
    {
      encoding: "utf8",
      timeout: 200_000,
      input: evaluated ? "" : text,
      env: { ...process.env, NODE_OPTIONS: more },
    },
  );
  expect({ status, stdout: stdout.trim(), stderr }).toEqual({ status: 0, stdout: "r1", stderr: "" });
});
