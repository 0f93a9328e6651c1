import { join } from "node:path";
import type { Question } from "@bailiwick/core";
import { expect, test } from "vitest";
import { openDatabase } from "../src/shop/database.ts";
import { openMailbox } from "../src/mailbox/mailbox.ts";
import { openShop } from "../src/shop/shop.ts";
import type { RunRow } from "../src/desk-api.ts";
import { DeskFolder } from "./desk-process.ts";
import { heldModel } from "./held-model.ts";

/** The final content of the database, read without the desk. */
function look(folder: DeskFolder) {
  const database = openDatabase(join(folder.path, "desk.db"));
  const shop = openShop(database);
  const mailbox = openMailbox(database);
  return {
    refunds: (orderId: string) => shop.listRefunds(orderId),
    claim: (orderId: string) => shop.findClaim(orderId),
    sent: (mailId: string) => mailbox.listOutbox(mailId),
    [Symbol.dispose]: () => database.close(),
  };
}

test("a question is answered: exit code 0, one answer in the outbox", async () => {
  await using folder = new DeskFolder();
  const { exitCode, stdout, stderr } = await folder.run("handle", "m-001");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Answer sent to hannah.whitlow@postroom.example");
  using data = look(folder);
  expect(data.sent("m-001")).toHaveLength(1);
});

test("a large refund waits and changes the exit code; after approval in another process the money moves once", async () => {
  await using folder = new DeskFolder();
  const handled = await folder.run("handle", "m-003", "--json");
  expect(handled.exitCode).toBe(2);
  const { runId, interruptions } = JSON.parse(handled.stdout) as {
    runId: string;
    interruptions: { toolCallId: string; toolName: string; args: unknown; question: Question }[];
  };
  expect(interruptions).toMatchObject([{ toolName: "issue_refund", args: { orderId: "FH-10191", amount: 249 } }]);
  expect(interruptions[0]?.question).toMatchObject({ level: "unusual", unusual: [{ kind: "selected_record" }] });
  {
    using data = look(folder);
    expect(data.refunds("FH-10191")).toEqual([]);
  }
  expect((await folder.run("runs")).stdout).toMatch(/suspended.*m-003/);

  const approved = await folder.run("approve", runId, interruptions[0]?.toolCallId ?? "");
  expect(approved.exitCode).toBe(0);
  using data = look(folder);
  expect(data.refunds("FH-10191")).toMatchObject([{ amountCents: 24_900 }]);
  expect(data.sent("m-003")).toHaveLength(1);

  const again = await folder.run("approve", runId);
  expect(again.exitCode).toBe(1);
  expect(data.refunds("FH-10191")).toHaveLength(1);
});

test("a refund that the mail talked the model into is stopped as suspicious; an honest refund is not", async () => {
  await using folder = new DeskFolder();
  const { stdout } = await folder.run("handle", "m-007", "--json");
  const { interruptions } = JSON.parse(stdout) as { interruptions: { question: Question }[] };
  expect(interruptions).toMatchObject([{ args: { orderId: "FH-10117", amount: 480 } }]);
  expect(interruptions[0]?.question.level).toBe("suspicious");
  expect(interruptions[0]?.question.reason).toMatch(/^You asked for nothing of this kind\./u);
});

test("a tool's question waits for a person; an invalid answer changes nothing, and a valid one resumes the run", async () => {
  await using folder = new DeskFolder();
  const handled = await folder.run("handle", "m-012", "--json");
  expect(handled.exitCode).toBe(2);
  const { runId, interruptions } = JSON.parse(handled.stdout) as { runId: string; interruptions: unknown[] };
  expect(interruptions).toMatchObject([{ kind: "question", toolName: "ask_colleague" }]);
  const wrong = await folder.run("answer", runId, '{"answer":"perhaps"}');
  expect([wrong.exitCode, wrong.stderr.trim().split("\n").length]).toEqual([1, 1]);
  const answered = await folder.run("answer", runId, '{"answer":"yes","note":"it is still in the warehouse"}');
  expect(answered.exitCode).toBe(0);
  expect(answered.stdout).toContain("You say: yes, it is still in the warehouse.");
  expect((await folder.run("answer", runId, '{"answer":"yes"}')).stderr).toContain("waits with no question");
});

test("the server is killed while a refund waits; the command line approves; the refund is recorded once", async () => {
  await using folder = new DeskFolder();
  const server = await folder.start();
  const response = await fetch(`${server.url}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mailId: "m-021", text: "Handle mail m-021." }),
  });
  expect(await response.text()).toContain("tool-approval-request");
  await server.kill();

  const [run] = JSON.parse((await folder.run("runs", "--json")).stdout) as { runId: string; status: string }[];
  expect(run?.status).toBe("suspended");
  expect((await folder.run("approve", run?.runId ?? "")).exitCode).toBe(0);
  using data = look(folder);
  expect(data.refunds("FH-10184")).toHaveLength(1);
  expect(data.sent("m-021")).toHaveLength(1);
});

test("a specialist's question surfaces on the mail's run, and another process answers it", async () => {
  await using folder = new DeskFolder();
  const handled = await folder.run("handle", "m-029", "--json");
  expect(handled.exitCode).toBe(2);
  const { runId, interruptions } = JSON.parse(handled.stdout) as { runId: string; interruptions: unknown[] };
  expect(interruptions).toMatchObject([{ runId, toolName: "file_claim", agentPath: ["desk", "parcels"] }]);
  expect((await folder.run("approve", runId)).exitCode).toBe(0);
  using data = look(folder);
  expect(data.claim("FH-10205")).toMatchObject({ orderId: "FH-10205" });
  expect(data.sent("m-029")).toHaveLength(1);
});

test("after a kill in mid-run the next server resumes the run, and nothing happens twice", async () => {
  await using model = await heldModel("find_order");
  await using folder = new DeskFolder(model.env);
  const first = await folder.start();
  const response = await fetch(`${first.url}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mailId: "m-002", text: "Handle mail m-002." }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes("find_order")) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) throw new Error(`The stream ended early: ${read}`);
    read += value;
  }
  await first.kill();
  await reader?.cancel().catch(() => undefined);
  model.release();

  const second = await folder.start();
  await expect
    .poll(async () => ((await (await fetch(`${second.url}/api/desk/runs`)).json()) as { status: string }[])[0]?.status)
    .toBe("completed");
  using data = look(folder);
  expect(data.refunds("FH-10187")).toHaveLength(1);
  expect(data.sent("m-002")).toHaveLength(1);
});

test("a mail that two people handle at once is refunded once and answered once", async () => {
  await using folder = new DeskFolder();
  const { url } = await folder.start();
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const handle = async () => (await post("/chat", { mailId: "m-003", text: "Handle mail m-003." })).text();
  await Promise.all([handle(), handle()]);
  const runs = async () => ((await (await fetch(`${url}/api/mails/m-003`)).json()) as { runs: RunRow[] }).runs;
  const asked = await runs();
  expect(asked.map(({ interruptions }) => interruptions.length)).toEqual([1, 1]);
  await Promise.all(
    asked.map(({ runId, interruptions }) =>
      post(`/runs/${runId}/decisions`, {
        decisions: interruptions.map(({ id, token }) => ({ id, type: "approve", token })),
      }),
    ),
  );
  await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(["completed", "completed"]);
  using data = look(folder);
  expect(data.refunds("FH-10191")).toHaveLength(1);
  expect(data.sent("m-003")).toHaveLength(1);
});
