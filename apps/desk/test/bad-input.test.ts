import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DeskFolder, type CommandResult } from "./desk-process.ts";

function expectOneLine({ exitCode, stdout, stderr }: CommandResult, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stdout).toBe("");
  expect(exitCode).toBe(1);
}

test.each([
  [["list", "--all"], /Unknown option '--all'.* Try: desk --help/],
  [["handle"], /handle needs a mail id/],
  [["handle", "m-999"], /^There is no mail m-999/],
  [["approve"], /approve needs a run id/],
  [["approve", "no-such-run"], /no-such-run/],
  [["fly"], /^There is no command fly/],
])("the command %j fails with one line that says what to do", async (args, message) => {
  await using folder = new DeskFolder();
  expectOneLine(await folder.run(...args), message);
});

test.each([
  [{ BAILIWICK_MODEL: "small" }, /Say where the model is/],
  [{ BAILIWICK_BASE_URL: "http://127.0.0.1:9/v1" }, /BAILIWICK_MODEL is not/],
  [{ PORT: "http" }, /PORT is "http"/],
  [{ DESK_APPROVAL_LIMIT: "lots" }, /DESK_APPROVAL_LIMIT/],
])("the settings %j fail with one line that says what to do", async (env, message) => {
  await using folder = new DeskFolder(env);
  expectOneLine(await folder.run("list"), message);
});

test("an unreachable model server is reported on one line, and the run can be inspected", async () => {
  await using folder = new DeskFolder({ BAILIWICK_BASE_URL: "http://127.0.0.1:9/v1", BAILIWICK_MODEL: "any" });
  expectOneLine(await folder.run("handle", "m-001"), /127\.0\.0\.1:9|reach|connect/i);
  expect((await folder.run("runs")).stdout).toMatch(/failed\s+m-001/);
});

test.each(["desk.db", "runs.db"])("an unreadable %s is reported on one line and not changed", async (file) => {
  await using folder = new DeskFolder();
  const path = join(folder.path, file);
  writeFileSync(path, "This is not a database, but a colleague may need it.".repeat(100));
  const before = readFileSync(path, "utf8");
  const result = await folder.run("list");
  expectOneLine(result, new RegExp(file.replace(".", "\\.")));
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("an unusable data folder is reported on one line", async () => {
  await using folder = new DeskFolder();
  const path = join(folder.path, "taken");
  writeFileSync(path, "a file");
  await using inside = new DeskFolder({ DESK_DATA: path });
  expectOneLine(await inside.run("list"), /taken/);
  expect(existsSync(path)).toBe(true);
});

test("a busy port prints one line that names the port", async () => {
  await using folder = new DeskFolder();
  mkdirSync(folder.path, { recursive: true });
  const holder = createServer();
  const port = await new Promise<number>((resolve) =>
    holder.listen(0, "127.0.0.1", () => resolve((holder.address() as { port: number }).port)),
  );
  try {
    await expect(folder.start(port)).rejects.toThrow(`Port ${port} is taken. Set PORT to a free one`);
  } finally {
    holder.close();
  }
});

test("over HTTP: unknown ids are 404, malformed bodies 400, with a code; the question stays open", async () => {
  await using folder = new DeskFolder();
  const { url } = await folder.start();
  const ask = async (path: string, body?: unknown) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, body === undefined ? {} : init);
    return { status: response.status, text: await response.text() };
  };
  const refused = async (path: string, body?: unknown) => {
    const { status, text } = await ask(path, body);
    return { status, ...(JSON.parse(text) as { error: { code: string; message: string } }).error };
  };
  expect(await refused("/mails/m-999")).toMatchObject({ status: 404, code: "MAIL_NOT_FOUND" });
  expect(await refused("/chat", { mailId: "m-999", text: "Handle it." })).toMatchObject({
    status: 404,
    code: "MAIL_NOT_FOUND",
  });
  expect(await refused("/chat", { mailId: "m-001" })).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(await refused("/runs/none")).toMatchObject({ status: 404, code: "RUN_NOT_FOUND" });
  expect(await refused("/nothing")).toMatchObject({ status: 404, code: "NOT_FOUND" });

  const { text } = await ask("/chat", { mailId: "m-003", text: "Handle mail m-003." });
  const runId = /"messageId":"([^"]+)"/.exec(text)?.[1] ?? "";
  for (const body of [{}, { decisions: [{ id: 1, type: "approve" }] }, { decisions: [{ id: "x", type: "perhaps" }] }]) {
    expect(await refused(`/runs/${runId}/decisions`, body)).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  }
  const unknown = { decisions: [{ id: "never-asked", type: "approve" }] };
  expect(await refused(`/runs/${runId}/decisions`, unknown)).toMatchObject({ status: 409, code: "UNKNOWN_DECISION" });
  const { interruptions } = JSON.parse((await ask(`/runs/${runId}/interruptions`)).text) as {
    interruptions: unknown[];
  };
  expect(interruptions).toHaveLength(1);
});
