import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandFolder, deskEntry } from "./command.fixture.ts";

const entry = ["--entry", deskEntry];

interface Listed {
  readonly id: string;
  readonly runId: string;
  readonly kind: string;
  readonly batch: string | null;
}

async function listed(folder: CommandFolder): Promise<readonly Listed[]> {
  const { stdout } = await folder.run(["inbox", "list", "--store", folder.store, "--json"]);
  return JSON.parse(stdout) as Listed[];
}

test("inbox approve lets the call run once and completes the run", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("refund 1042");
  await run.result;

  const shown = await folder.run(["inbox", "list", "--store", folder.store]);
  expect(shown.stdout).toContain("refund");
  expect(shown.stdout).toContain("1042");
  const [question] = await listed(folder);
  expect(question).toMatchObject({ kind: "approval", runId: run.runId });

  const edit = ["--args", '{"orderId":7}'];
  const refused = await folder.run(["inbox", "approve", question?.id ?? "", ...edit, ...entry, "--json"]);
  expect(refused).toMatchObject({ exitCode: 5, errorCode: "EDIT_INVALID" });

  const approved = await folder.run(["inbox", "approve", question?.id ?? "", "--by", "ana", ...entry, "--json"]);
  expect(approved.exitCode, approved.stderr).toBe(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ status: "completed" });
  expect(readFileSync(folder.log, "utf8")).toBe("refund 1042 20\n");
  expect(await listed(folder)).toEqual([]);

  const again = await folder.run(["inbox", "approve", question?.id ?? "", ...entry, "--json"]);
  expect(again.exitCode).toBe(3);
  expect(again.errorCode).toBe("UNKNOWN_DECISION");
});

test("inbox approve delivers to a store without the agent's code, and the agent's next process resumes the run", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("refund 1042");
  await run.result;
  const [question] = await listed(folder);
  const note = `The inbox of run ${run.runId} has a decision`;
  const shown = async (): Promise<string> => (await folder.run(["inbox", "list", "--store", folder.store])).stdout;
  expect(await shown()).not.toContain(note);

  const delivered = await folder.run(["inbox", "approve", question?.id ?? "", "--store", folder.store, "--json"]);
  expect(delivered.exitCode, delivered.stderr).toBe(0);
  expect(JSON.parse(delivered.stdout)).toMatchObject({ delivered: true });
  // The question stays open until a process takes the decision.
  expect(await shown()).toContain(note);
  expect(existsSync(folder.log)).toBe(false);
  expect(await folder.run(["runs", "resume", run.runId, ...entry])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(folder.log, "utf8")).toBe("refund 1042 20\n");
});

test("inbox reject and answer decide, and a decision of the wrong type is refused", async () => {
  await using folder = new CommandFolder();
  await (
    await folder.startRun("refund 1042")
  ).result;
  await (
    await folder.startRun("which colour")
  ).result;
  const questions = await listed(folder);
  const approval = questions.find(({ kind }) => kind === "approval")?.id ?? "";
  const asked = questions.find(({ kind }) => kind === "question")?.id ?? "";

  expect(await folder.run(["inbox", "answer", approval, "--text", "x", ...entry])).toMatchObject({ exitCode: 2 });
  expect(await folder.run(["inbox", "answer", asked, "--value", "{", ...entry])).toMatchObject({ exitCode: 2 });
  const wrong = await folder.run(["inbox", "answer", asked, "--text", "red", ...entry, "--json"]);
  expect(wrong.errorCode).toBe("ANSWER_INVALID");
  const answered = await folder.run(["inbox", "answer", asked, "--value", '{"colour":"red"}', ...entry]);
  expect(answered.exitCode, answered.stderr).toBe(0);
  const rejected = await folder.run(["inbox", "reject", approval, "--reason", "Too much.", ...entry]);
  expect(rejected.exitCode, rejected.stderr).toBe(0);
  expect(existsSync(folder.log)).toBe(false);
});

test("inbox approve delivers the decision to the process that owns the run, and the call runs once", async () => {
  await using folder = new CommandFolder();
  const gate = join(folder.path, "gate");
  const run = await folder.startRun("refund and parcel", { DESK_GATE: gate });
  await expect.poll(() => existsSync(folder.log)).toBe(true);
  await expect.poll(async () => (await listed(folder)).length).toBe(1);
  const [question] = await listed(folder);

  const approved = await folder.run(["inbox", "approve", question?.id ?? "", ...entry, "--json"]);
  expect(approved.exitCode, approved.stderr).toBe(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ runId: run.runId, delivered: true });

  writeFileSync(gate, "");
  const { stdout, stderr } = await run.result;
  expect(stdout, stderr).toContain("ended completed");
  expect(readFileSync(folder.log, "utf8").trimEnd().split("\n").toSorted()).toEqual(["parcel 1042", "refund 1042 20"]);
});

test("inbox list groups calls that differ only in values, and --batch decides them together [questions.batch]", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("refund both");
  await run.result;
  const shown = await folder.run(["inbox", "list", "--store", folder.store]);
  expect(shown.stdout).toContain('2 calls of "refund"? They differ only in their values.');
  expect(shown.stdout.match(/order ?Id: 104[23]/giu)).toHaveLength(4);
  const [question, other] = await listed(folder);
  expect(other).toMatchObject({ batch: expect.stringMatching(/^[0-9a-f]{64}$/u) as string, runId: question?.runId });
  const approve = ["inbox", "approve", question?.id ?? "", "--batch", ...entry];

  expect(await folder.run([...approve, "--args", "{}"])).toMatchObject({ exitCode: 2 });
  expect(existsSync(folder.log)).toBe(false);
  const approved = await folder.run([...approve, "--by", "ana", "--json"]);
  expect(approved.exitCode, approved.stderr).toBe(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ status: "completed" });
  expect(readFileSync(folder.log, "utf8").trimEnd().split("\n").toSorted()).toEqual([
    "refund 1042 20",
    "refund 1043 20",
  ]);

  const again = await folder.startRun("refund both");
  await again.result;
  const [first] = await listed(folder);
  const rejected = await folder.run(["inbox", "reject", first?.id ?? "", "--batch", ...entry]);
  expect(rejected.exitCode, rejected.stderr).toBe(0);
  expect(await listed(folder)).toEqual([]);
  expect(readFileSync(folder.log, "utf8").trimEnd().split("\n")).toHaveLength(2);
});

test("inbox approve lets a suspicious call run only with --yes-suspicious", async () => {
  await using folder = new CommandFolder();
  const flow = { DESK_FLOW: "on" };
  await (
    await folder.startRun("Deal with my newest mail.", flow)
  ).result;
  const [question] = await listed(folder);
  const approve = ["inbox", "approve", question?.id ?? "", ...entry, "--json"];

  const refused = await folder.run(approve, flow);
  expect(refused).toMatchObject({ exitCode: 5, errorCode: "CLI_SUSPICIOUS" });
  expect(refused.stderr).toContain("--yes-suspicious");
  expect(existsSync(folder.log)).toBe(false);
  expect(await listed(folder)).toHaveLength(1);

  const approved = await folder.run([...approve, "--yes-suspicious"], flow);
  expect(approved.exitCode, approved.stderr).toBe(0);
  expect(readFileSync(folder.log, "utf8")).toBe("refund 7 900\n");
});

// `script` is part of every Debian; it gives a process a terminal here.
const answers =
  process.platform === "linux" && existsSync("/usr/bin/script")
    ? [
        { typed: "yes", exitCode: 5, log: "" },
        { typed: "approve", exitCode: 0, log: "refund 7 900\n" },
      ]
    : [];
test.each(answers)(
  "inbox approve at a terminal asks for confirmation, and $typed ends with $exitCode",
  async ({ typed, ...wanted }) => {
    await using folder = new CommandFolder();
    const flow = { DESK_FLOW: "on" };
    await (
      await folder.startRun("Deal with my newest mail.", flow)
    ).result;
    const [question] = await listed(folder);
    const command = folder.startAtTerminal(["inbox", "approve", question?.id ?? "", ...entry], flow);
    await command.printed('Type "approve"');
    command.child.stdin?.write(`${typed}\n`);
    const { exitCode, stdout } = await command.result;
    expect(exitCode, stdout).toBe(wanted.exitCode);
    expect(existsSync(folder.log) ? readFileSync(folder.log, "utf8") : "").toBe(wanted.log);
  },
);

/** Each way to name an owner, and the runs of the test that belong to it. */
const owners: readonly (readonly [args: readonly string[], own: readonly string[]])[] = [
  [["--user", "bob"], ["bob"]],
  [["--tenant", "acme"], ["ana of acme"]],
  [["--tenant", "acme", "--user", "bob"], []],
];

test("inbox and runs list find only runs of the owner that is named, also with --run and --inside [owner.command-line]", async () => {
  await using folder = new CommandFolder();
  const runs = new Map<string, string>();
  for (const [name, env] of Object.entries({
    ana: { DESK_USER: "ana" },
    bob: { DESK_USER: "bob" },
    "ana of acme": { DESK_TENANT: "acme", DESK_USER: "ana" },
  })) {
    const run = await folder.startRun("refund 1042", env);
    await run.result;
    runs.set(name, run.runId);
  }
  const questions = new Map<string, string>();
  for (const [name, runId] of runs) {
    // Without an owner the developer reaches any run by its id.
    const { stdout } = await folder.run(["inbox", "list", "--run", runId, "--store", folder.store, "--json"]);
    questions.set(name, (JSON.parse(stdout) as readonly Listed[])[0]?.id ?? "");
  }
  for (const [owner, own] of owners)
    for (const [name, runId] of runs) {
      const at = ["--run", runId, ...owner, "--store", folder.store, "--json"];
      const list = await folder.run(["inbox", "list", ...at]);
      const inside = await folder.run(["runs", "list", "--inside", ...at.slice(1)]);
      const isOwn = own.includes(name);
      const said = isOwn ? { exitCode: 0 } : { exitCode: 3, errorCode: "RUN_NOT_FOUND" };
      expect([owner, name, list, inside]).toMatchObject([owner, name, said, said]);
      if (isOwn) continue;
      const question = questions.get(name) ?? "";
      const commands = [
        ["approve", question],
        ["reject", question],
        ["answer", question, "--text", "x"],
        ["settle", question, "happened"],
      ];
      for (const command of owner.length === 4 ? commands.slice(0, 1) : commands) {
        const byRun = await folder.run(["inbox", ...command, ...at]);
        const byId = await folder.run(["inbox", ...command, ...at.slice(2)]);
        expect([owner, name, command[0], byRun.errorCode, byId.errorCode]).toEqual([
          owner,
          name,
          command[0],
          "RUN_NOT_FOUND",
          "UNKNOWN_DECISION",
        ]);
      }
    }
  const none = await folder.run(["runs", "list", "--user", "cem", "--store", folder.store]);
  expect(none.stdout).toBe("There are no such runs. Add --tenant for the runs of a tenant.\n");
  expect(existsSync(folder.log)).toBe(false);
});
