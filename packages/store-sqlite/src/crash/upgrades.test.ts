import { test } from "vitest";
import { sqliteGround } from "./sqlite-ground.fixture.ts";
import { upgradeCases } from "./upgrade-cases.fixture.ts";

for (const { name, run } of upgradeCases(sqliteGround)) test(`${name} (sqlite)`, run);
