import { addNames } from "./session-state.fixture.ts";
import { sqliteGround } from "./crash/sqlite-ground.fixture.ts";

const [path = "", name = "", times = "0"] = process.argv.slice(2);
await addNames(sqliteGround.open(path), name, Number(times));
