import { simulate } from "@bailiwick/testing/simulation";
import { paying } from "./payments.test.helper.ts";

await simulate(paying(), { seeds: 0, single: false });
