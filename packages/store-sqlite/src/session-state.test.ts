import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { sqliteGround } from "./crash/sqlite-ground.fixture.ts";
import { sessionStateCases } from "./session-state.fixture.ts";

const program = fileURLToPath(new URL("add-names.fixture.ts", import.meta.url));

for (const { name, run } of sessionStateCases(sqliteGround, program)) test(`${name} (sqlite)`, run);
