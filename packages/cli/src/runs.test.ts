import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { CommandFolder, deskEntry } from "./command.fixture.ts";

const entry = ["--entry", deskEntry];

test("runs list and runs show print a finished run, as text without colours and as JSON", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("hello");
  await run.result;

  const text = await folder.run(["runs", "list", "--store", folder.store]);
  expect(text).toMatchObject({ exitCode: 0, stderr: "" });
  expect(text.stdout).toContain(run.runId);
  expect(text.stdout).not.toContain("\u001B[");

  const json = await folder.run(["runs", "list", "--store", folder.store, "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject([
    { id: run.runId, agent: "desk", state: "completed", parentRunId: null },
  ]);

  const shown = await folder.run(["runs", "show", run.runId, "--store", folder.store, "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    run: { id: run.runId },
    output: { status: "completed", text: "You wrote: hello" },
    questions: [],
  });
  const words = await folder.run(["runs", "show", run.runId, ...entry]);
  expect(words.stdout).toContain("completed");
  expect(words.stdout).toContain("You wrote: hello");
});

test("runs list leaves out the runs inside calls, and --inside lists those of one run", async () => {
  await using folder = new CommandFolder();
  const store = sqliteStore({ path: join(folder.path, "desk.db") });
  const inner = new Agent({ name: "inner", description: "Helps.", model: scriptedModel(["Helped."]), store });
  const call = { toolCalls: [{ name: "inner", arguments: { input: "help" } }] };
  const outer = new Agent({ name: "outer", model: scriptedModel([call, "Done."]), tools: [inner.asTool()], store });
  const { runId } = await outer.run("go");
  await store.close();
  const list = async (...more: readonly string[]): Promise<unknown> =>
    JSON.parse((await folder.run(["runs", "list", "--store", folder.store, "--json", ...more])).stdout);
  expect(await list()).toMatchObject([{ id: runId, agent: "outer", parentRunId: null }]);
  expect(await list("--inside", runId)).toMatchObject([{ agent: "inner", parentRunId: runId }]);
});

test("a unique prefix of a run's id is enough; a prefix without a match is refused", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("hello");
  await run.result;
  const at = ["--store", folder.store];

  const shown = await folder.run(["runs", "show", run.runId.slice(0, 8), ...at, "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ run: { id: run.runId }, output: { text: "You wrote: hello" } });
  const verified = await folder.run(["runs", "verify", run.runId.slice(0, 8), ...at, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ runId: run.runId });
  // A store with one run: three letters are too few to identify it.
  expect(await folder.run(["runs", "show", run.runId.slice(0, 3), ...at, "--json"])).toMatchObject({
    exitCode: 3,
    errorCode: "RUN_NOT_FOUND",
  });
  expect(await folder.run(["runs", "show", "no-such-run", ...at, "--json"])).toMatchObject({ exitCode: 3 });
  const gone = await folder.run(["runs", "discard", run.runId.slice(0, 8), "--yes", ...at, "--json"]);
  expect(JSON.parse(gone.stdout)).toEqual({ runId: run.runId, deleted: true });
});

test("an ambiguous prefix is refused, unless it is a complete id", async () => {
  await using folder = new CommandFolder();
  const names = ["night", "night-1", "night-2"];
  {
    await using store = sqliteStore({ path: folder.store.slice("sqlite:".length) });
    const given = [...names];
    const ids = { next: (kind: string) => (kind === "run" ? (given.shift() ?? "more") : randomUUID()) };
    const agent = new Agent({ name: "desk", model: scriptedModel(() => "Done."), store, ids });
    for (const name of names) expect((await agent.run("Good day.")).runId).toBe(name);
  }
  const show = (id: string) => folder.run(["runs", "show", id, "--store", folder.store, "--json"]);
  expect(await show("nigh")).toMatchObject({ exitCode: 2, errorCode: "CLI_USAGE" });
  expect(await show("night-")).toMatchObject({ exitCode: 2, errorCode: "CLI_USAGE" });
  expect(JSON.parse((await show("night")).stdout)).toMatchObject({ run: { id: "night" } });
});

test("runs resume continues a killed process's run, and asks before repeating a writer", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("send the parcel", { DESK_WAIT_MS: "600000" });
  await expect.poll(() => existsSync(folder.log)).toBe(true);
  run.child.kill("SIGKILL");
  await run.result;

  const early = await folder.run(["runs", "resume", run.runId, "--store", folder.store, "--json"]);
  expect(early.exitCode).toBe(1);
  expect(early.errorCode).toBe("CLI_NEEDS_ENTRY");

  const resumed = await folder.run(["runs", "resume", run.runId, "--former-is-gone", ...entry, "--json"]);
  expect(resumed.exitCode, resumed.stderr).toBe(6);
  const { interruptions } = JSON.parse(resumed.stdout) as { interruptions: { id: string; kind: string }[] };
  expect(interruptions).toMatchObject([{ kind: "unknown_outcome", toolName: "send_parcel" }]);

  const settled = await folder.run([
    "inbox",
    "settle",
    interruptions[0]?.id ?? "",
    "happened",
    "--output",
    '"sent"',
    ...entry,
  ]);
  expect(settled.exitCode, settled.stderr).toBe(0);
  expect(settled.stdout).toContain("completed");
  expect(readFileSync(folder.log, "utf8")).toBe("parcel 1042\n");
});

test("runs cancel, fork, graph, retry and discard act on a store without the agent's code", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("refund 1042");
  await run.result;
  const store = ["--store", folder.store, "--json"];

  const fork = await folder.run(["runs", "fork", run.runId, ...store]);
  expect(fork.exitCode, fork.stderr).toBe(0);
  const { runId: forked } = JSON.parse(fork.stdout) as { runId: string };

  expect(await folder.run(["runs", "cancel", run.runId, "--reason", "not needed", ...store])).toMatchObject({
    exitCode: 0,
  });
  const shown = await folder.run(["runs", "show", run.runId, ...store]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ output: { status: "cancelled" } });
  const again = await folder.run(["runs", "cancel", run.runId, "--store", folder.store]);
  expect(again.stdout).toBe(`Run ${run.runId} is cancelled.\n`);
  const ended = await folder.startRun("hello");
  await ended.result;
  const late = await folder.run(["runs", "cancel", ended.runId, "--store", folder.store]);
  expect(late.stdout).toBe(`Run ${ended.runId} was not cancelled: it had ended as completed before.\n`);

  const { progress } = JSON.parse((await folder.run(["runs", "show", run.runId, ...store])).stdout) as {
    progress: { messages: readonly { id: string; role: string }[] };
  };
  const said = progress.messages.find(({ role }) => role === "user")?.id ?? "";
  const edited = await folder.run(["runs", "fork", run.runId, "--edit", `${said}=refund 7 = all`, ...store]);
  expect(edited.exitCode, edited.stderr).toBe(0);
  const { runId: editedId } = JSON.parse(edited.stdout) as { runId: string };
  expect(JSON.parse((await folder.run(["runs", "show", editedId, ...store])).stdout)).toMatchObject({
    progress: { messages: { 0: { role: "user", content: "refund 7 = all" } } },
  });
  expect(await folder.run(["runs", "fork", run.runId, "--edit", "refund 7", ...store])).toMatchObject({ exitCode: 2 });

  const drawn = await folder.run(["runs", "graph", run.runId, "--store", folder.store]);
  expect(drawn.stdout).toMatch(/^flowchart LR\n {2}n0\["[^"]+"\]:::failed\n/u);
  const graph = await folder.run(["runs", "graph", run.runId, ...store]);
  const { nodes } = JSON.parse(graph.stdout) as { nodes: readonly { kind: string; title: string; state: string }[] };
  expect(nodes.map(({ kind, state }) => [kind, state])).toEqual([
    ["agent", "failed"],
    ["model", "done"],
    ["tool", "failed"],
    ["question", "failed"],
  ]);

  const retried = await folder.run(["runs", "retry", run.runId, ...store]);
  expect(retried.exitCode).toBe(5);
  expect(retried.errorCode).toBe("RUN_NOT_RETRYABLE");

  const asked = await folder.run(["runs", "discard", run.runId, ...store]);
  expect(asked.exitCode).toBe(5);
  expect(await folder.run(["runs", "discard", run.runId, "--yes", ...store])).toMatchObject({ exitCode: 0 });
  expect(await folder.run(["runs", "show", run.runId, ...store])).toMatchObject({ exitCode: 3, stdout: "" });
  expect(await folder.run(["runs", "resume", forked, ...entry])).toMatchObject({ exitCode: 6 });
});

test("runs verify checks a stored run and an export, and finds a changed byte", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("hello");
  await run.result;
  const file = join(folder.path, "run.jsonl");

  expect(await folder.run(["runs", "verify", run.runId, "--store", folder.store])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("unsigned") as string,
  });
  expect(await folder.run(["runs", "export", run.runId, "--output", file, "--store", folder.store])).toMatchObject({
    exitCode: 0,
  });
  expect(await folder.run(["runs", "verify", "--file", file, "--json"])).toMatchObject({ exitCode: 0 });

  const text = readFileSync(file, "utf8");
  const piped = await folder.run(["runs", "export", run.runId, "--store", folder.store]);
  expect(piped.stdout).toBe(text);

  for (const args of [
    ["verify", "--file", join(folder.path, "none.jsonl")],
    ["export", run.runId, "--output", join(folder.path, "none", "run.jsonl")],
  ])
    expect(await folder.run(["runs", ...args, "--store", folder.store, "--json"])).toMatchObject({
      exitCode: 1,
      errorCode: "CLI_FILE",
    });

  writeFileSync(file, text.replace("You wrote: hello", "You wrote: hullo"));
  const broken = await folder.run(["runs", "verify", "--file", file, "--json"]);
  expect(broken.exitCode).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({ verdict: "broken" });
});

test("an invalid command line exits with 2 and prints the mistake to stderr", async () => {
  await using folder = new CommandFolder();
  for (const args of [
    ["runs", "lst"],
    ["runs", "list", "--stat"],
    ["runs", "show"],
    ["runs", "list", "--limit", "no"],
  ])
    expect(await folder.run(args), args.join(" ")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("error:") as string,
    });
  expect(await folder.run(["runs", "list"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("bailiwick.config.ts") as string,
  });
  expect(await folder.run(["runs", "list", "--store", "mysql://x"])).toMatchObject({ exitCode: 1 });
  expect(await folder.run(["runs", "list", "--store", "sqlite:missing.db"])).toMatchObject({ exitCode: 1 });
  expect(existsSync(join(folder.path, "missing.db"))).toBe(false);
  expect(await folder.run(["--version"])).toMatchObject({ exitCode: 0, stdout: "0.0.0\n" });
});
