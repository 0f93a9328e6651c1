import { act } from "./act.fixture.ts";
import { sqliteGround } from "./sqlite-ground.fixture.ts";

await act(sqliteGround.open);
