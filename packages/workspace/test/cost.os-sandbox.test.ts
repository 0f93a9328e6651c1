import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { localHost } from "../src/index.ts";
import type { WorkspacePlace } from "../src/index.ts";
import { call, coderOf, openProject, temporaryFolder } from "./project.test.helper.ts";
import { chmodSync } from "node:fs";

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const best = async (times: number, work: () => Promise<unknown>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < times; round += 1) least = Math.min(least, await timed(work));
  return least;
};

test("a command in the living sandbox is cheap beside one in a new sandbox, and a read beside a command [workspace.cost]", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const limits = {
    memoryMB: 512,
    processes: 64,
    fileMB: 64,
    diskMB: 64,
    commandMs: 10_000,
    idleMs: 60_000,
    outputTokens: 100,
  };
  const place: WorkspacePlace = { id: "a", folder, mounts: [], env: {}, hosts: [], limits };
  const command = { command: "true", cwd: "/workspace", timeoutMs: 10_000, outputBytes: 100 };
  const host = localHost();
  const inNew = async (): Promise<void> => {
    const sandbox = await host.open(place);
    await sandbox.exec(command);
    await sandbox.close();
  };
  // The first one also examines the machine.
  await inNew();
  const fresh = await best(3, inNew);
  const sandbox = await host.open(place);
  await sandbox.write("/workspace/a", new Uint8Array([1]), { type: "file", follow: false });
  await sandbox.exec(command);
  const living = await best(10, () => sandbox.exec(command));
  const read = await best(20, () => sandbox.read("/workspace/a", true));
  await sandbox.close();
  expect(living / fresh).toBeLessThanOrEqual(1 / 4);
  expect(read / living).toBeLessThanOrEqual(1 / 4);
});

test("a further snapshot stores what changed, whatever the number of files [workspace.cost]", async () => {
  const grown: number[] = [];
  for (const count of [50, 100, 200]) {
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`d${index % 10}/f${index}`, `${index}`]),
    );
    const { ws, keep } = await openProject(files);
    const { coder } = coderOf(ws, [
      call("bash", { command: "echo 1 > d0/f0" }),
      call("bash", { command: "echo 2 > d0/f0" }),
      call("bash", { command: "true" }),
      "Done.",
      "Done.",
    ]);
    const { readdirSync } = await import("node:fs");
    await coder.run("Go.");
    grown.push(
      readdirSync(keep, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && entry.parentPath.includes("objects"),
      ).length - count,
    );
  }
  // Folders of the first tree, and for each change one file, its folder and the root.
  expect(grown).toEqual([17, 17, 17]);
});
