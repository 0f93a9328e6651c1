import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { afterAll, test } from "vitest";
import { workflowKills } from "./workflow-kills.test.helper.ts";

const folder = mkdtempSync(join(tmpdir(), "workflow-kills-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const sqlite = () => sqliteStore({ path: join(folder, `${(files += 1)}.db`) });

for (const { name, run } of workflowKills(() => memoryStore(), 4)) test(`${name} (memory)`, run);
for (const { name, run } of workflowKills(sqlite, 24)) test(`${name} (sqlite)`, run);
