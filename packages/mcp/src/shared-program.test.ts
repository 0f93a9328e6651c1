import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { until } from "./agents.test.helper.ts";
import { mcp } from "./index.ts";
import { others, reported, runOf } from "./shared-runs.test.helper.ts";
import { drawn } from "../../testing/src/drawn-cells.fixture.ts";

const program = fileURLToPath(new URL("./faulty-stdio.fixture.ts", import.meta.url));

/** Requests that have the fault: the tool that the run calls, by the method. */
const places = {
  "tools/list": ["read", {}],
  "tools/call": ["read", {}],
  ping: ["read", {}],
  "resources/read": ["read_resource", { uri: "file:///readme.md" }],
  "prompts/get": ["get_prompt", { name: "triage" }],
} as const;
type Method = keyof typeof places;

const faults = [
  "an error",
  "half an answer",
  "a wrong result",
  "an answer to a request that was not sent",
  "no answer",
  "no answer, also later",
] as const;

/** Plays one history with a real process. The call of the other run is open from before the fault until the end. */
async function play(method: Method, fault: string, other: (typeof others)[number] | undefined) {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-mcp-"));
  const armed = join(folder, "armed");
  const called = async (): Promise<string> => readFile(join(folder, "log"), "utf8").catch(() => "");
  const gone = (what: string): Promise<void> => until(() => !existsSync(armed), what);
  try {
    await using shared = mcp({
      name: "shared",
      command: process.execPath,
      args: [program, folder],
      sandbox: "none",
      protocol: "legacy",
      resources: true,
      prompts: true,
      tools: { "*": { sideEffectClass: "read-only" }, held_write: { sideEffectClass: "external-stateful" } },
      reconnect: { initialDelayMs: 1 },
    });
    const open = other === undefined ? undefined : runOf(shared, other, {});
    if (other === undefined) await runOf(shared, "read", {});
    else await until(async () => (await called()).includes(other), "the call of the other run is executed");
    const cancelling = async (name: string, args: Readonly<Record<string, unknown>>, what: string): Promise<void> => {
      const controller = new AbortController();
      const own = runOf(shared, name, args, controller).catch(() => undefined);
      await gone(what);
      controller.abort(new Error("The user cancelled it."));
      await own;
    };
    if (method === "ping" && fault !== "") {
      await writeFile(armed, "tools/call\tno answer");
      await cancelling("read", {}, "the call is sent");
    }
    const [name, args] = places[method];
    if (fault !== "") await writeFile(armed, `${method}\t${fault}`);
    if (fault === "") await runOf(shared, name, args);
    else await cancelling(name, args, "the fault is made");
    const later = reported(await runOf(shared, "read", {}));
    await writeFile(join(folder, "release"), "");
    return {
      later,
      other: open && reported(await open),
      calls: (await called()).split("\n").filter((line) => line === other),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const cases = (Object.keys(places) as Method[]).flatMap((method) => faults.map((fault) => [method, fault] as const));

test.concurrent.each(drawn(cases, String, 5))(
  "a fault of a program in one request changes nothing for other runs: %s, %s [mcp.own-failures]",
  async (method, fault) => {
    for (const other of others) {
      const plain = await play(method, "", other);
      expect(plain.other).toContain(`answer of ${other}`);
      expect(plain.later).toContain("answer of read");
      expect(await play(method, fault, other)).toEqual(plain);
    }
  },
);

test.concurrent.each(["tools/list", "tools/call", "resources/read", "prompts/get"] as const)(
  "a program that ends in %s is started again for the next run [mcp.own-failures]",
  async (method) => {
    expect(await play(method, "its end", undefined)).toEqual(await play(method, "", undefined));
  },
);
