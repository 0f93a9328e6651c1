import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { bin, CommandFolder, deskEntry } from "./command.fixture.ts";

const entry = ["--entry", deskEntry];

test("dev reloads when the entry changes; active runs finish, and a broken file replaces nothing", async () => {
  await using folder = new CommandFolder();
  const config = join(folder.path, "bailiwick.config.ts");
  const source = (prefix: string): string =>
    `import { deskWith } from ${JSON.stringify(deskEntry)};\nexport default { agents: [deskWith("${prefix}")] };\n`;
  writeFileSync(config, source("one"));
  const gate = join(folder.path, "gate");
  const dev = folder.start(["dev", "--port", "0", "--grace", "600"], { DESK_GATE: gate });
  const printed = await dev.printed(/Studio at http\S+/);
  const base = /Agents at (http\S+\/agents\/desk)/.exec(printed)?.[1] ?? "";

  const chat = async (text: string): Promise<string> => {
    const message = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] };
    const response = await fetch(`${base}/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: crypto.randomUUID(), messages: [message] }),
    });
    return [...(await response.text()).matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join("");
  };
  expect(await chat("hello")).toContain("one: hello");
  const studio = await fetch(/Studio at (http\S+)/.exec(printed)?.[1] ?? "", { redirect: "manual" });
  expect(studio.status).toBeLessThan(400);
  const cookie = studio.headers.get("set-cookie")?.split(";")[0] ?? "";

  const slow = chat("send the parcel");
  await expect.poll(() => existsSync(folder.log)).toBe(true);
  writeFileSync(config, source("two"));
  await dev.printed("Reloaded.");
  expect((await fetch(new URL("/studio/api/info", base), { headers: { cookie } })).status).toBe(200);
  expect(await chat("hello")).toContain("two: hello");
  writeFileSync(gate, "");
  expect(await slow).toContain("Done: send the parcel");
  expect(readFileSync(folder.log, "utf8")).toBe("parcel 1042\n");

  writeFileSync(config, "export default {");
  await dev.printed("the previous ones continue");
  expect(await chat("hello")).toContain("two: hello");
  dev.child.kill("SIGTERM");
  expect((await dev.result).exitCode).toBe(0);
  const { stdout } = await folder.run(["runs", "list", "--store", folder.store, "--json"]);
  expect((JSON.parse(stdout) as { state: string }[]).map(({ state }) => state)).toEqual([
    "completed",
    "completed",
    "completed",
    "completed",
  ]);
});

test("a misspelt name in the configuration is refused, with the nearest one", async () => {
  await using folder = new CommandFolder();
  const config = join(folder.path, "bailiwick.config.ts");
  const source = `import { deskWith } from ${JSON.stringify(deskEntry)};\nexport default { agents: [deskWith("one")], route: {} };\n`;
  writeFileSync(config, source);
  const { exitCode, stderr } = await folder.run(["worker", "--once"]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('"route" is not an option of the configuration in');
  expect(stderr).toContain('"routes"');
});

test("worker drives delivered decisions, and releases its runs on SIGTERM", async () => {
  await using folder = new CommandFolder();
  const run = await folder.startRun("refund 1042");
  await run.result;
  const worker = folder.start(["worker", ...entry, "--json"]);
  await expect.poll(() => worker.child.exitCode).toBe(null);
  const { stdout } = await folder.run(["inbox", "list", "--store", folder.store, "--json"]);
  const [question] = JSON.parse(stdout) as { id: string }[];
  await folder.run(["inbox", "approve", question?.id ?? "", "--store", folder.store]);
  const line = /\{"runId".*\}/.exec(await worker.printed(/\{"runId".*\}/))?.[0] ?? "";
  expect(JSON.parse(line)).toMatchObject({ runId: run.runId, agent: "desk", status: "completed", error: null });
  worker.child.kill("SIGTERM");
  expect(await worker.result).toMatchObject({ exitCode: 0 });
  expect(await folder.run(["worker", "--once", ...entry])).toMatchObject({ exitCode: 0 });
  expect(await folder.run(["worker", "--store", folder.store, "--json"])).toMatchObject({
    errorCode: "CLI_NEEDS_ENTRY",
  });
});

test("mcp serves an agent over stdio to an MCP client", async () => {
  await using folder = new CommandFolder();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--conditions=@bailiwick/source", bin, "mcp", ...entry],
      env: { PATH: process.env["PATH"] ?? "", DESK_DB: join(folder.path, "desk.db"), NODE_NO_WARNINGS: "1" },
      stderr: "ignore",
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["ask_desk"]);
  const answer = await client.callTool({ name: "ask_desk", arguments: { question: "hello" } });
  expect(JSON.stringify(answer.content)).toMatch(/You wrote: [\s\S]*hello/);
  await client.close();
});

test("doctor checks agents and their store, and fails if the store is damaged", async () => {
  await using folder = new CommandFolder();
  const healthy = await folder.run(["doctor", "--no-sandboxes", "--json", ...entry]);
  expect(healthy.exitCode, healthy.stdout).toBe(0);
  const { checks } = JSON.parse(healthy.stdout) as { checks: { name: string; status: string }[] };
  expect(checks.filter(({ status }) => status === "ok").map(({ name }) => name.split(" ")[0])).toEqual(
    expect.arrayContaining(["Node", "store", "clock"]),
  );
  const { stdout } = await folder.run(["runs", "list", "--store", folder.store, "--json"]);
  expect(JSON.parse(stdout)).toEqual([]);

  writeFileSync(
    join(folder.path, "broken.db"),
    "This is not a database, and it is longer than a header would be.".repeat(20),
  );
  const broken = await folder.run(["doctor", "--no-sandboxes", "--store", "sqlite:broken.db"]);
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toContain("fail");
});

test("migrate creates a store, and schedules of a store are listed", async () => {
  await using folder = new CommandFolder();
  const store = ["--store", folder.store, "--json"];
  expect(await folder.run(["migrate", ...store])).toMatchObject({ exitCode: 0 });
  expect(await folder.run(["schedules", "list", ...store])).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(await folder.run(["schedules", "pause", "none", ...store])).toMatchObject({ exitCode: 3 });
  expect(await folder.run(["migrate"])).toMatchObject({ exitCode: 2 });
  expect((await folder.run(["migrate", "--sql", "mine"])).stdout).toContain('CREATE TABLE "mine".');
});
