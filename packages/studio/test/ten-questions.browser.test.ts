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
import { questionText, questionView } from "@bailiwick/core/questions";
import { runRoutes } from "@bailiwick/server";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.fixture.ts";
import { attacks, honest, plannerFor, tools } from "../../security/src/flow/attacks/ten-questions.test.helper.ts";
import { buildStudioPage } from "./build-page.fixture.ts";

const command = fileURLToPath(new URL("../../cli/bin/bailiwick.cjs", import.meta.url));
/** Start of a sentence that is short enough for every channel to show it. */
const start = (text: string): string => flat(text).slice(0, 200);
const flat = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** Sentences about a question that each channel shows, and facts that each channel leaves to the line of a value. */
function sentencesOf(open: InterruptionData): {
  readonly told: readonly string[];
  readonly leftOut: readonly string[];
} {
  const shown = questionView(open);
  if (shown === undefined) throw new Error("There is no question.");
  const facts = shown.calls.flatMap((call) => call.facts);
  const sources = shown.calls.flatMap(({ values }) => values.map(({ source }) => source));
  const all = open.question.unusual.map(({ text }) => text);
  return {
    told: [shown.title, shown.reason, ...facts, ...sources].map(start),
    leftOut: all.filter((text) => !facts.includes(text) && !shown.reason.includes(text)).map(start),
  };
}

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
      for (const [index, { user, wants, mail, does }] of list.entries()) {
        const steps = does.map(([name, args]) => ({ toolCalls: [{ name, arguments: args }] }));
        const agent = new Agent({
          name: `${kind}-${index}`,
          model: scriptedModel([...steps, "Done."]),
          tools: tools(mail),
          flow: { mode: "enforce", planner: plannerFor(wants) },
          store,
          logger,
        });
        const { runId, interruptions } = await agent.run(user);
        const [open] = interruptions;
        if (open === undefined) throw new Error(`${agent.name} asks nothing.`);
        runs.push({ isAttack: kind === "attack", agent, runId, open, ...sentencesOf(open) });
      }
    }

    const args = ["--conditions=@bailiwick/source", command, "inbox", "list", "--store", `sqlite:${path}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    const printed = stdout.split(/\n\n+/u).filter((text) => text.includes("bailiwick inbox approve"));
    expect(printed).toHaveLength(10);
    expect(printed.filter((text) => text.includes("SUSPICIOUS"))).toHaveLength(5);
    expect(printed.filter((text) => text.includes("--yes-suspicious"))).toHaveLength(5);
    // Some question has a fact that the line of its value shows, and some question has a fact that no value shows.
    expect(runs.some(({ leftOut }) => leftOut.length > 0)).toBe(true);
    expect(runs.some(({ open }) => (questionView(open)?.calls[0]?.facts.length ?? 0) > 0)).toBe(true);
    for (const { open, told, leftOut } of runs) {
      const text = flat(printed.find((one) => one.includes(`inbox approve ${open.id}`)) ?? "");
      for (const sentence of told) expect(text).toContain(sentence);
      for (const sentence of leftOut) expect(text).not.toContain(sentence);
    }

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
    for (const { isAttack, agent, told, leftOut } of runs) {
      const card = tab.locator(".question", { hasText: `${agent.name} ·` });
      await expect
        .poll(() => card.locator(".primary").allInnerTexts(), { message: agent.name })
        .toEqual(
          isAttack ? ["Reject"] : (await card.getAttribute("class"))?.includes("normal") === true ? ["Approve"] : [],
        );
      await expect
        .poll(() => card.getByText("Suspicious", { exact: true }).count(), { message: agent.name })
        .toBe(isAttack ? 1 : 0);
      const missing = async () => {
        const text = flat(await card.innerText());
        return told.filter((sentence) => !text.includes(sentence));
      };
      await expect.poll(missing, { message: agent.name }).toEqual([]);
      const repeated = async () => {
        const text = flat(await card.innerText());
        return leftOut.filter((sentence) => text.includes(sentence));
      };
      await expect.poll(repeated, { message: agent.name }).toEqual([]);
      await expect
        .poll(async () => (await card.locator(".value.untrusted .origin").count()) > 0 || !isAttack, {
          message: agent.name,
        })
        .toBe(true);
    }
    await browser.close();
    server.close();

    for (const { isAttack, agent, runId, told, leftOut } of runs) {
      const routes = runRoutes({ agent, store });
      const { interruptions } = (await (await routes.request(`/runs/${runId}/interruptions`)).json()) as {
        readonly interruptions: readonly InterruptionData[];
      };
      const [open] = interruptions;
      if (open === undefined) throw new Error(`${agent.name} asks nothing.`);
      expect([agent.name, open.question.level === "suspicious"]).toEqual([agent.name, isAttack]);
      expect(questionText(open).startsWith("Suspicious: ")).toBe(isAttack);
      // The question that came over HTTP has the same words.
      expect(sentencesOf(open)).toEqual({ told, leftOut });
      for (const sentence of told) expect(flat(questionText(open))).toContain(sentence);
      for (const sentence of leftOut) expect(flat(questionText(open))).not.toContain(sentence);
      const stream = await (await routes.request(`/runs/${runId}/stream`)).text();
      const [chunk = ""] = stream.split("\n").filter((line) => line.includes('"tool-approval-request"'));
      const { reason } = JSON.parse(chunk.slice("data: ".length)) as { readonly reason: string };
      expect(reason.startsWith("Suspicious: ")).toBe(isAttack);
      expect(reason).toBe(questionText(open));
      // A question can be posted back unchanged.
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
});
