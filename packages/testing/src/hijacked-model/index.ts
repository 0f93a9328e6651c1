export { bitLeaker } from "./bit-leaker.ts";
export { programOf } from "./program-of.ts";
export { hijackedModel, type HijackedModel, type HijackedModelOptions } from "./hijacked-model.ts";
export { randomCaller } from "./random-caller.ts";
export { isSeen } from "./seen-text.ts";
export type { HijackStrategy } from "./strategies.ts";
