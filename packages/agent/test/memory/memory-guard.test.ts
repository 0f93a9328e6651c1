import { tool, type MemoryAccess, type MemoryGuardTier, type Tool } from "@bailiwick/core";
import { memory } from "@bailiwick/memory";
import { expect, test } from "vitest";
import { z } from "zod";
import { calling, memoryFile, remembering, toldIn } from "./memory-world.test.helper.ts";

const ana = { tenantId: undefined, userId: "ana" };
const user = { integrity: "user", readers: "public" } as const;

/** A tool that uses the memory. */
function using(
  memoryGuardTier: MemoryGuardTier,
  work: (own: MemoryAccess) => Promise<unknown>,
  more: { readonly needsApproval?: boolean } = {},
): Tool {
  return tool({
    name: "work",
    description: "Works.",
    inputSchema: z.object({}),
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    memoryGuardTier,
    output: { integrity: "verified", readers: "public" },
    ...more,
    execute: async (_input, ctx) => {
      if (ctx.memory === undefined) return "no memory";
      return (await work(ctx.memory)) ?? "done";
    },
  });
}

/** The result of the tool's only call, as the model reads it. */
async function ran(own: Tool, file: Awaited<ReturnType<typeof memoryFile>>, approved?: boolean) {
  const { output, model } = await remembering({ store: file.store, tools: [] }, [calling(["work", {}]), "Done."], {
    agent: {
      tools: [own],
      ...(approved !== undefined && { approval: { onApproval: () => ({ approved }) } }),
    },
  });
  const result = output.messages.findLast(({ role }) => role === "tool");
  return { output, result: JSON.stringify(result?.content ?? null), model };
}

const keep = (own: MemoryAccess): Promise<string> => own.remember("Kept by a tool.", { name: "kept" });

test("a frozen tool reads memory and neither writes nor deletes it [memory.context] [tool.field.memory-guard-tier] [feature:X051]", async () => {
  await using file = memoryFile();
  const id = await memory({ store: file.store }).application.remember(ana, "A red printer.", { label: user });
  const reads = await ran(
    using("frozen", async (own) => (await own.recall("printer")).map(({ text, why }) => `${text} ${why}`)),
    file,
  );
  expect(reads.result).toContain("A red printer. words #1");
  const writes = await ran(using("frozen", keep), file);
  expect(writes.result).toContain(`its memoryGuardTier is \\"frozen\\"`);
  expect(writes.output.toolCalls[0]).toMatchObject({ error: { kind: "policy_denied", code: "MEMORY_GUARD_DENIED" } });
  const deletes = await ran(
    using("frozen", (own) => own.forget(id)),
    file,
  );
  expect(deletes.result).toContain("not forget");
  expect((await file.store.memories.query({ scope: ana })).map(({ entry }) => entry.id)).toEqual([id]);
});

test("a tool with tier approve writes only in an approved call [memory.context] [feature:X051]", async () => {
  await using file = memoryFile();
  const approved = await ran(using("approve", keep), file, true);
  expect(approved.output.status).toBe("completed");
  expect(await file.store.memories.query({ scope: ana })).toHaveLength(1);
  const rejected = await ran(using("approve", keep), file, false);
  expect(rejected.result).not.toContain("MEMORY");
  // The tool declares that it needs no approval: memory does not count that as an approval.
  const silent = await ran(using("approve", keep, { needsApproval: false }), file, true);
  expect(silent.result).toContain("this call was not approved");
  expect(await file.store.memories.query({ scope: ana })).toHaveLength(1);
});

test("a tool with tier labelled writes with the label of everything that the model has read [memory.context] [feature:X051]", async () => {
  await using file = memoryFile();
  await ran(using("labelled", keep), file);
  const [hit] = await file.store.memories.query({ scope: ana });
  expect(hit?.entry).toMatchObject({ text: "Kept by a tool.", label: { integrity: "user", readers: "public" } });
});

test("a memory of a tool that declares its results untrusted is untrusted [flow.r7.own-results]", async () => {
  await using file = memoryFile();
  await ran({ ...using("labelled", keep), output: { integrity: "untrusted", readers: "public" } }, file);
  const [hit] = await file.store.memories.query({ scope: ana });
  expect(hit?.entry).toMatchObject({ text: "Kept by a tool.", label: { integrity: "untrusted" } });
});

test("an isolated tool has a separate namespace: it sees only its own memories, and runs do not recall them [memory.context] [feature:X051]", async () => {
  await using file = memoryFile();
  const port = memory({ store: file.store });
  const id = await port.application.remember(ana, "A red printer.", { label: user });
  const isolated = (work: (own: MemoryAccess) => Promise<unknown>) => ran(using("isolated", work), file);
  const seen = await isolated(async (own) => [
    await own.remember("The printer of a stranger."),
    (await own.recall("printer")).map(({ text }) => text),
    await own.forget(id).catch((error: { readonly code?: string }) => error.code),
  ]);
  expect(seen.result).toContain(`[\\"The printer of a stranger.\\"],\\"MEMORY_NOT_FOUND\\"`);
  expect((await port.application.recall(ana, "printer")).map(({ entry }) => entry.text)).toEqual(["A red printer."]);
  const again = await isolated(async (own) => (await own.recall("printer")).map(({ text }) => text));
  expect(again.result).toContain("The printer of a stranger.");
  const { told } = await remembering({ store: file.store }, ["Hi."], { input: "My printer?" });
  expect(told).not.toContain("stranger");
  for (const kind of ["shared", "working"] as const)
    expect((await isolated((own) => own.remember("x", { kind, name: "n" }))).result).toContain("isolated");
});

const readMail = tool({
  name: "read_mail",
  description: "Reads mail.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  output: { integrity: "untrusted", readers: ["user:ana"] },
  execute: () => "Ana's home town is Evil.",
}) as Tool;

/** The person rejects everything, or approves everything. */
const tainted = (
  file: Awaited<ReturnType<typeof memoryFile>>,
  call: readonly [string, Record<string, unknown>],
  approved: boolean,
) =>
  remembering({ store: file.store }, [calling(["read_mail", {}]), calling(call), "Done."], {
    agent: {
      tools: [readMail],
      flow: { mode: "enforce", planner: false },
      approval: { onApproval: () => ({ approved }) },
    },
  });

test("an untrusted value replaces or deletes a trusted fact only after a person approved that call [memory.labels]", async () => {
  await using file = memoryFile();
  const port = memory({ store: file.store });
  const name = "home town";
  const id = await port.application.remember(ana, "Rome", { name, label: user });
  const write = ["remember", { text: "Evil", name }] as const;
  await tainted(file, write, false);
  await tainted(file, ["forget", { id }], false);
  expect((await file.store.memories.get(id, ana))?.supersededBy).toBeUndefined();
  await tainted(file, write, true);
  const [hit] = await port.application.recall(ana, "home town");
  expect(hit?.entry).toMatchObject({ text: "Evil", label: { integrity: "untrusted", readers: ["user:ana"] } });
  // A grant lets the call run; no person has seen it.
  const grants = [
    { tool: "remember", args: { text: { composed: true }, name: { composed: true } }, from: [{ tool: "read_mail" }] },
  ] as const;
  await port.application.remember(ana, "Rome", { name, label: user });
  const granted = await remembering({ store: file.store }, [calling(["read_mail", {}]), calling(write), "Done."], {
    agent: { tools: [readMail], flow: { mode: "enforce", planner: false, grants } },
  });
  const result = granted.output.messages.findLast(({ role }) => role === "tool");
  expect(JSON.stringify(result?.content)).toContain("Let a person approve it");
  expect((await port.application.recall(ana, "home town"))[0]?.entry.text).toBe("Rome");
});

test("a memory with limited readers is not shared with everyone [memory.labels] [memory.kind.shared]", async () => {
  await using file = memoryFile();
  await tainted(file, ["remember", { text: "Ana's secret", kind: "shared" }], true);
  const everyone = { tenantId: undefined, userId: undefined };
  expect(await file.store.memories.query({ scope: everyone })).toEqual([]);
  // An application may share a memory that only some may read; others do not get it.
  const port = memory({ store: file.store });
  await port.application.remember(ana, "The printer of Ana and Ben.", {
    kind: "shared",
    label: { integrity: "verified", readers: ["user:ana"] },
  });
  const told = async (userId: string) =>
    toldIn(
      (await remembering({ store: file.store }, ["Hi."], { input: "My printer?", run: { userId } })).model.requests[0],
    );
  expect(await told("ana")).toContain("The printer of Ana and Ben.");
  expect(await told("ben")).toBeUndefined();
});
