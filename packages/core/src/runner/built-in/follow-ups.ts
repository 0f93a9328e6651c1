import { textOf } from "../../context/compact.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { callModelBeside } from "../model/model-beside.ts";
import type { Part } from "../part.ts";
import type { Run } from "../run.ts";

const suggestion = lazyPart("The request for follow-ups", () => import("./suggest-follow-ups.ts"));

/** The part that suggests prompts for the user's next message. */
export const followUpsPart: Part<Run> = {
  name: "follow-ups",
  onCompleted: (run) => suggestion((part) => part.suggestFollowUps(run, callModelBeside, textOf)),
};
