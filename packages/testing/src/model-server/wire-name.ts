import type { ScriptWire } from "../script/script-request.ts";

/** The wires that {@link modelServer} speaks. */
export type ModelServerWire = Exclude<ScriptWire, "in-process">;
