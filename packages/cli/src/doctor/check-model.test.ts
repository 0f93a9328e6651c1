import { apiError, knownModels, type ModelProvider, type ModelRequest } from "@bailiwick/core/provider";
import { scriptedModel } from "@bailiwick/testing";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { CommandFolder, deskEntry } from "../command.fixture.ts";
import { checkModel } from "./check-model.ts";

const modelId = "gpt-5.5";
const row = knownModels[`openai/${modelId}`];

/** A model behind a server on this machine that refuses some requests, and counts them. */
async function served(refuses: (request: ModelRequest) => string | undefined) {
  const asked: ModelRequest[] = [];
  const server = createServer((message, response) => {
    let text = "";
    message.on("data", (piece: Buffer) => (text += piece.toString()));
    message.on("end", () => {
      const request = JSON.parse(text) as ModelRequest;
      asked.push(request);
      const refusal = refuses(request);
      response.writeHead(refusal === undefined ? 200 : 400).end(refusal ?? "{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answers = scriptedModel(() => "Yes.");
  const model: ModelProvider = {
    ...answers,
    provider: "openai",
    modelId,
    api: "responses",
    capabilities: { ...answers.capabilities, structuredOutput: "with-tools" },
    async generate(request) {
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(request) });
      const message = await answer.text();
      if (!answer.ok) throw apiError({ provider: "openai", model: modelId, status: answer.status, message });
      return answers.generate(request);
    },
  };
  return { model, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

test("doctor model tries each setting of a row and prints those that the server refuses", async () => {
  const efforts = row?.efforts ?? [];
  expect(efforts.length).toBeGreaterThan(2);
  const refused = efforts.at(-1);
  await using server = await served(({ reasoning, tools }) =>
    reasoning?.effort === refused && tools === undefined ? `Unsupported value: '${refused}'.` : undefined,
  );
  const checks = await checkModel(server.model, Date.parse(row?.checked ?? ""));
  expect(checks.filter(({ status }) => status === "fail").map(({ name }) => name)).toEqual([`effort ${refused}`]);
  expect(checks.find(({ status }) => status === "fail")?.text).toContain("Unsupported value");
  for (const effort of efforts) {
    expect(checks.map(({ name }) => name)).toContain(`effort ${effort}`);
    expect(server.asked.some(({ reasoning }) => reasoning?.effort === effort)).toBe(true);
  }
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["row", "answer", "tools", "answer by a schema", "image"]),
  );
  expect(checks[0]).toMatchObject({
    name: "row",
    status: "ok",
    text: expect.stringContaining(row?.checked ?? "?") as string,
  });
});

test("a row that is older than 90 days is a warning, and a server without any answer is asked once", async () => {
  await using server = await served(() => "No.");
  const checks = await checkModel(server.model, Date.parse(row?.checked ?? "") + 91 * 86_400_000);
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ["row", "warn"],
    ["answer", "fail"],
  ]);
  expect(server.asked).toHaveLength(1);
});

test("doctor model finds the model of an agent of the entry, and refuses other words", async () => {
  await using folder = new CommandFolder();
  const entry = ["--entry", deskEntry];
  const found = await folder.run(["doctor", "model", "scripted/scripted-1", "--json", ...entry]);
  expect(JSON.parse(found.stdout)).toMatchObject({ checks: [{ name: "row", status: "warn" }, { name: "answer" }] });
  const other = await folder.run(["doctor", "model", "openai/gpt-0", "--json", ...entry]);
  expect([other.exitCode, other.stdout.includes("No agent of the entry has the model")]).toEqual([1, true]);
  expect((await folder.run(["doctor", "sandboxes", "--json"])).errorCode).toBe("CLI_USAGE");
});
