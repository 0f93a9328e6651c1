import { join } from "node:path";
import { expect, test, type ExpectStatic } from "vitest";
import { openMailbox } from "../src/mailbox/mailbox.ts";
import { openDatabase } from "../src/shop/database.ts";
import { openShop } from "../src/shop/shop.ts";
import type { RunRow } from "../src/desk-api.ts";
import { DeskFolder } from "./desk-process.ts";
import { heldModel, type HeldModel } from "./held-model.ts";

const mailId = "m-002";

function look<Result>(folder: DeskFolder, read: (data: ReturnType<typeof open>) => Result): Result {
  const data = open(folder);
  try {
    return read(data);
  } finally {
    data.close();
  }
}

function open(folder: DeskFolder) {
  const database = openDatabase(join(folder.path, "desk.db"));
  return { shop: openShop(database), mailbox: openMailbox(database), close: () => database.close() };
}

/** Kills `handle` once the run has read its mail. Polls of concurrent tests need the `expect` of their test. */
async function killHandle(folder: DeskFolder, model: HeldModel, own: ExpectStatic): Promise<void> {
  const command = folder.command("handle", mailId);
  await own
    .poll(() => look(folder, ({ mailbox }) => mailbox.readMail(mailId).status), { interval: 5 })
    .not.toBe("unread");
  const { exitCode, stdout } = await command.kill();
  expect([exitCode, stdout]).toEqual([null, ""]);
  model.release();
}

async function listRuns(folder: DeskFolder): Promise<RunRow[]> {
  const { stdout, stderr, exitCode } = await folder.run("runs", "--json");
  expect([stderr, exitCode]).toEqual(["", 0]);
  return JSON.parse(stdout) as RunRow[];
}

function expectOneRefundAndAnswer(folder: DeskFolder): void {
  look(folder, ({ shop, mailbox }) => {
    expect(shop.listRefunds("FH-10187")).toHaveLength(1);
    expect(mailbox.listOutbox(mailId)).toHaveLength(1);
  });
}

test.concurrent("after a killed `handle` the next command prints its own result, then resumes the killed run", async (own) => {
  await using model = await heldModel("read_mail");
  await using folder = new DeskFolder(model.env);
  await killHandle(folder, model, own.expect);
  const { exitCode, stdout, stderr } = await folder.run("runs", "--json");
  const [before] = JSON.parse(stdout) as RunRow[];
  expect([exitCode, before?.status, before?.mailId]).toEqual([0, "running", mailId]);
  expect(stderr).toContain(`Continuing run ${before?.runId} about mail ${mailId}`);
  expect(stderr).toContain(`Run ${before?.runId} is completed.`);
  expect(await listRuns(folder)).toMatchObject([{ runId: before?.runId, status: "completed" }]);
  expectOneRefundAndAnswer(folder);
});

test.concurrent("`handle` resumes the killed run of the same mail instead of starting a second one", async (own) => {
  await using model = await heldModel("read_mail");
  await using folder = new DeskFolder(model.env);
  await killHandle(folder, model, own.expect);
  const { exitCode, stdout } = await folder.run("handle", mailId, "--json");
  expect(exitCode).toBe(0);
  const { runId, status } = JSON.parse(stdout) as { runId: string; status: string };
  expect(status).toBe("completed");
  expect(await listRuns(folder)).toMatchObject([{ runId, status, input: expect.stringContaining(mailId) }]);
  expectOneRefundAndAnswer(folder);
});

test.concurrent("the server resumes the run of a killed `handle`, and a concurrent command does not", async (own) => {
  await using model = await heldModel("read_mail");
  await using folder = new DeskFolder(model.env);
  await killHandle(folder, model, own.expect);
  const { url } = await folder.start();
  const [first] = await listRuns(folder);
  const newest = async () => ((await (await fetch(`${url}/api/desk/runs`)).json()) as RunRow[])[0];
  await own.expect.poll(newest, { interval: 500 }).toMatchObject({ runId: first?.runId, status: "completed" });
  expectOneRefundAndAnswer(folder);
});

test.concurrent("`handle` of a mail whose run waits for a person shows the same question again, and starts no second run", async () => {
  await using folder = new DeskFolder();
  const first = JSON.parse((await folder.run("handle", "m-003", "--json")).stdout) as Record<string, unknown>;
  const again = await folder.run("handle", "m-003", "--json");
  expect(again.exitCode).toBe(2);
  expect(JSON.parse(again.stdout)).toMatchObject({ runId: first["runId"], interruptions: first["interruptions"] });
  expect(await listRuns(folder)).toHaveLength(1);
});
