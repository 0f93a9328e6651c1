import { test } from "vitest";
import { upgradeCases } from "../../../store-sqlite/src/crash/upgrade-cases.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";

for (const { name, run } of upgradeCases(postgresGround, true)) test(`${name} (postgres)`, run);
