import { addNames } from "../../store-sqlite/src/session-state.fixture.ts";
import { postgresGround } from "./crash/postgres-ground.fixture.ts";

const [place = "", name = "", times = "0"] = process.argv.slice(2);
await addNames(postgresGround.open(place), name, Number(times));
