import { test } from "vitest";
import { lostReplyCases } from "./lost-reply-cases.fixture.ts";
import { sqliteGround } from "./sqlite-ground.fixture.ts";

for (const { name, run } of lostReplyCases(sqliteGround)) test(`${name} (sqlite)`, run);
