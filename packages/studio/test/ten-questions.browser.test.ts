import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import { Agent } from "@bailiwick/agent";
import type { InterruptionData } from "@bailiwick/core";
import { questionText, runRoutes } from "@bailiwick/server";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { attacks, honest, tools } from "../../security/src/flow/attacks/ten-questions.test.helper.ts";
import { buildStudioPage } from "./build-page.fixture.ts";

const command = fileURLToPath(new URL("../../cli/bin/bailiwick.cjs", import.meta.url));
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("page, command line, HTTP, chat and plain text tell five attacks from five honest calls [questions.channels]", async () => {
  await buildStudioPage();
  const folder = mkdtempSync(join(tmpdir(), "ten-questions-"));
  const path = join(folder, "runs.db");
  const store = sqliteStore({ path });
  try {
    const runs = [];
    for (const [kind, list] of [
      ["honest", honest],
      ["attack", attacks],
    ] as const) {
      for (const [index, { user, mail, does }] of list.entries()) {
        const steps = does.map(([name, args]) => ({ toolCalls: [{ name, arguments: args }] }));
        const agent = new Agent({
          name: `${kind}-${index}`,
          model: scriptedModel([...steps, "Done."]),
          tools: tools(mail),
          flow: { mode: "enforce", planner: false },
          store,
          logger,
        });
        const { runId, interruptions } = await agent.run(user);
        runs.push({ isAttack: kind === "attack", agent, runId, title: interruptions[0]?.question.title ?? "" });
      }
    }

    const args = ["--conditions=@bailiwick/source", command, "inbox", "list", "--store", `sqlite:${path}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    const printed = stdout.split(/\n\n+/u).filter((text) => text.includes("bailiwick inbox approve"));
    expect(printed).toHaveLength(10);
    expect(printed.filter((text) => text.includes("SUSPICIOUS"))).toHaveLength(5);
    expect(printed.filter((text) => text.includes("--yes-suspicious"))).toHaveLength(5);

    const agents = runs.map(({ agent }) => agent);
    const page = studio({ store, agents });
    const server = serve({ fetch: (request, env) => page.fetch(request, env), port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const browser = await launchBrowser();
    const tab = await browser.newPage();
    await tab.goto(page.link(base));
    await tab.goto(`${base}#/inbox`);
    await tab.locator(".question").nth(9).waitFor();
    for (const { isAttack, agent } of runs) {
      const card = tab.locator(".question", { hasText: `${agent.name} ·` });
      await expect
        .poll(() => card.locator(".primary").allInnerTexts(), { message: agent.name })
        .toEqual(
          isAttack ? ["Reject"] : (await card.getAttribute("class"))?.includes("normal") === true ? ["Approve"] : [],
        );
      await expect
        .poll(() => card.getByText("Suspicious", { exact: true }).count(), { message: agent.name })
        .toBe(isAttack ? 1 : 0);
      await expect
        .poll(async () => (await card.locator(".value.untrusted .origin").count()) > 0 || !isAttack, {
          message: agent.name,
        })
        .toBe(true);
    }
    await browser.close();
    server.close();

    for (const { isAttack, agent, runId } of runs) {
      const routes = runRoutes({ agent, store });
      const { interruptions } = (await (await routes.request(`/runs/${runId}/interruptions`)).json()) as {
        readonly interruptions: readonly InterruptionData[];
      };
      const [open] = interruptions;
      if (open === undefined) throw new Error(`${agent.name} asks nothing.`);
      expect([agent.name, open.question.level === "suspicious"]).toEqual([agent.name, isAttack]);
      expect(questionText(open).startsWith("Suspicious: ")).toBe(isAttack);
      expect(questionText(open)).toContain(open.question.values[0]?.origin.text ?? "");
      const stream = await (await routes.request(`/runs/${runId}/stream`)).text();
      const [chunk = ""] = stream.split("\n").filter((line) => line.includes('"tool-approval-request"'));
      const { reason } = JSON.parse(chunk.slice("data: ".length)) as { readonly reason: string };
      expect(reason.startsWith("Suspicious: ")).toBe(isAttack);
      expect(reason).toContain(open.question.reason.slice(0, 200));
      // A question can be posted back as it came.
      const posted = await routes.request(`/runs/${runId}/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ decisions: [{ ...open, type: isAttack ? "reject" : "approve", remember: "values" }] }),
      });
      expect(posted.status).toBe(202);
      await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
