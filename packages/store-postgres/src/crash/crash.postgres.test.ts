import { test } from "vitest";
import { crashCases } from "../../../store-sqlite/src/crash/crash-cases.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";

for (const { name, run } of crashCases(postgresGround)) test(`${name} (postgres)`, run);
