import { act } from "../../../store-sqlite/src/crash/act.fixture.ts";
import { postgresGround } from "./postgres-ground.fixture.ts";

await act(postgresGround.open);
