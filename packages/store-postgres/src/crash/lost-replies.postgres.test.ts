import { test } from "vitest";
import { lostReplyCases } from "../../../store-sqlite/src/crash/lost-reply-cases.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";

for (const { name, run } of lostReplyCases(postgresGround)) test(`${name} (postgres)`, run);
