import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { memoryStore, type RunStore } from "@bailiwick/agent";
import { calls, caseFiles, evaluate, evaluation, exact } from "@bailiwick/evals";
import { studio, type StudioExport } from "@bailiwick/studio";
import { expect, test } from "vitest";
import { client } from "./client.fixture.ts";
import { shopAgent } from "./shop.fixture.ts";

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));

/** A run in which an untrusted mail decides a payment, and a person approves another amount. */
async function savedRun(entry?: string): Promise<{ readonly store: RunStore; readonly file: StudioExport }> {
  const store = memoryStore();
  const sent: unknown[] = [];
  const agent = shopAgent(store, sent);
  const { runId, interruptions } = await agent.run("Handle my newest mail.", { userId: "ada" });
  await agent.resume(runId, [interruptions[0]!.approve({ args: { to: "eve@evil.example", amount: 20 } })]);
  expect(sent).toEqual([{ to: "eve@evil.example", amount: 20 }]);
  const { read } = client(studio({ store, agents: [agent], entry }));
  return { store, file: await read<StudioExport>(`runs/${runId}/export/test`) };
}

const fixture = JSON.stringify(join(packageFolder, "src/http/shop.fixture.ts"));
/** A module that exports the agent. A tool that runs ends the test. */
const agentModule = (flow: string): string => `import { memoryStore } from "@bailiwick/agent";
import { shopAgent } from ${fixture};
export const agents = [shopAgent(memoryStore(), { push: () => process.exit(7) }, ${flow})];
`;
const config = `export default {
  resolve: { conditions: ["@bailiwick/source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["@bailiwick/source", "module", "node", "development|production"] } },
};
`;

test("a saved test runs as it is: it replays the run without its tools, and fails when the agent no longer asks", async () => {
  const { file } = await savedRun("./agents.ts");
  expect(file.name).toBe("handle-my-newest-mail.test.ts");
  mkdirSync(join(packageFolder, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, ".cache/saved-"));
  const vitest = async (): Promise<{ readonly code: number; readonly printed: string }> => {
    const program = fileURLToPath(new URL("vitest.mjs", import.meta.resolve("vitest/package.json")));
    const args = [
      "--conditions=@bailiwick/source",
      program,
      "run",
      "--testTimeout=240000",
      "--root",
      folder,
      "--config",
      join(folder, "c.mjs"),
    ];
    const { VITEST: _vitest, VITEST_WORKER_ID: _id, NODE_OPTIONS: _options, ...env } = process.env;
    return run(process.execPath, args, { env, cwd: folder }).then(
      ({ stdout }) => ({ code: 0, printed: stdout }),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
        code: error.code,
        printed: `${error.stdout}${error.stderr}`,
      }),
    );
  };
  try {
    writeFileSync(join(folder, "c.mjs"), config);
    writeFileSync(join(folder, file.name), file.text);
    writeFileSync(join(folder, "agents.ts"), agentModule("undefined"));
    const first = await vitest();
    expect(first.printed).toContain("1 passed");
    expect(first.code).toBe(0);
    // The test must fail if a policy no longer asks.
    writeFileSync(join(folder, "agents.ts"), agentModule('"off"'));
    const second = await vitest();
    expect(second.code).toBe(1);
    expect(second.printed).toContain("a person approved it before; now no person was asked.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a saved case is a case of an evaluation, as it is", async () => {
  const store = memoryStore();
  const agent = shopAgent(store, [], "off");
  const { runId } = await agent.run("Handle my newest mail.");
  const { read } = client(studio({ store, agents: [agent] }));
  const file = await read<StudioExport>(`runs/${runId}/export/case`);
  expect(file.name).toBe("handle-my-newest-mail.case.json");
  expect(JSON.parse(file.text)).toEqual({
    agent: "shop",
    input: "Handle my newest mail.",
    expected: {
      answer: "I sent the money.",
      stopReason: "completed",
      calls: [
        { tool: "read_mail", args: {} },
        { tool: "pay", args: { to: "eve@evil.example", amount: 249 } },
      ],
    },
  });
  mkdirSync(join(packageFolder, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, ".cache/cases-"));
  try {
    writeFileSync(join(folder, file.name), file.text);
    const verdict = async (flow?: "off"): Promise<string> => {
      const made = evaluation({
        name: "saved",
        agent: ({ store: own }) => shopAgent(own, [], flow),
        fakes: { pay: () => "paid" },
        cases: [caseFiles(folder)],
        must: [calls(), exact()],
      });
      return (await evaluate(made)).verdict;
    };
    expect(await verdict("off")).toBe("passed");
    // The flow policy asks about the payment, so the run ends in another way.
    expect(await verdict()).toBe("failed");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a run that cannot be played is not saved, and the studio gives the reason", async () => {
  const store = memoryStore();
  const agent = shopAgent(store);
  const { runId } = await agent.enqueue("Handle my newest mail.");
  const { ask } = client(studio({ store, agents: [agent] }));
  const answer = await ask(`api/runs/${runId}/export/test`);
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({
    error: { code: "CASSETTE_UNSUPPORTED", message: expect.stringContaining("no beginning") as string },
  });
});
