import { test } from "vitest";
import { crashCases } from "./crash-cases.fixture.ts";
import { sqliteGround } from "./sqlite-ground.fixture.ts";

for (const { name, run } of crashCases(sqliteGround)) test(`${name} (sqlite)`, run);
