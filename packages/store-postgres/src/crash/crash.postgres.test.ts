import { test } from "vitest";
import { crashCases } from "../../../store-sqlite/src/crash/crash-cases.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

for (const { name, run } of drawnCases(crashCases(postgresGround))) test(`${name} (postgres)`, run);
