import { test } from "vitest";
import { sqliteGround } from "./sqlite-ground.fixture.ts";
import { upgradeCases } from "./upgrade-cases.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

for (const { name, run } of drawnCases(upgradeCases(sqliteGround), 4)) test(`${name} (sqlite)`, run);
