import { test } from "vitest";
import { upgradeCases } from "../../../store-sqlite/src/crash/upgrade-cases.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

for (const { name, run } of drawnCases(upgradeCases(postgresGround))) test(`${name} (postgres)`, run);
