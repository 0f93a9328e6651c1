import { workflows, type Workflows } from "@bailiwick/compose";
import { security } from "../../security.ts";

/** The functions of workflows, with the policy under attack. */
const made: Workflows = workflows({ ports: () => security(), platform: () => ({}) });

export const pipeline: Workflows["pipeline"] = made.pipeline;
export const parallel: Workflows["parallel"] = made.parallel;
export const map: Workflows["map"] = made.map;
export const route: Workflows["route"] = made.route;
export const loop: Workflows["loop"] = made.loop;
