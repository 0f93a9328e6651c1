import { test } from "vitest";
import { crashCases } from "./crash-cases.fixture.ts";
import { sqliteGround } from "./sqlite-ground.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

for (const { name, run } of drawnCases(crashCases(sqliteGround), 4)) test(`${name} (sqlite)`, run);
