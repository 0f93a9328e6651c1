import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { sessionStateCases } from "../../store-sqlite/src/session-state.fixture.ts";
import { postgresGround } from "./crash/postgres-ground.fixture.ts";

const program = fileURLToPath(new URL("add-names.fixture.ts", import.meta.url));

for (const { name, run } of sessionStateCases(postgresGround, program)) test(`${name} (postgres)`, run);
