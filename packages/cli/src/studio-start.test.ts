import { join } from "node:path";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { expect, test } from "vitest";
import { bin, CommandFolder } from "./command.fixture.ts";

/** Packages that `bailiwick studio` may load before it prints its link. */
const needed = [
  "@ag-ui/core",
  "@cfworker/json-schema",
  "@hono/node-server",
  "@noble/hashes",
  "cli",
  "commander",
  "compose",
  "core",
  "croner",
  "hono",
  "node",
  "other",
  "server",
  "store-sqlite",
  "studio",
  "worker",
];

/** Maximum number of modules of the source; the built packages have one module for each entry. */
const mostModules = 600;

test("bailiwick studio loads its server, and no agent, policy, MCP client or testing kit", async () => {
  await using folder = new CommandFolder(bin);
  await sqliteStore({ path: join(folder.path, "desk.db") }).close();
  const counting = `--import ${new URL("./count-modules.fixture.ts", import.meta.url).href}`;
  const running = folder.start(["studio", "--store", folder.store, "--port", "0"], { NODE_OPTIONS: counting });
  await running.printed("Studio at http://127.0.0.1:");
  running.child.kill("SIGTERM");
  const { stdout } = await running.result;
  const loaded = JSON.parse(/^loaded (.*)$/mu.exec(stdout)?.[1] ?? "{}") as Readonly<Record<string, number>>;
  expect(Object.keys(loaded).filter((name) => !needed.includes(name))).toEqual([]);
  expect(loaded["studio"]).toBeGreaterThan(0);
  expect(Object.values(loaded).reduce((sum, modules) => sum + modules, 0)).toBeLessThanOrEqual(mostModules);
});
