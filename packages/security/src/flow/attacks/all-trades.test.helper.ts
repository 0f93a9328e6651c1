import { clinic } from "./clinic.test.helper.ts";
import { couriers } from "./couriers.test.helper.ts";
import { forge } from "./forge.test.helper.ts";
import { helpdesk } from "./helpdesk.test.helper.ts";
import { lab } from "./lab.test.helper.ts";
import { marketing } from "./marketing.test.helper.ts";
import { newsroom } from "./newsroom.test.helper.ts";
import { oncall } from "./oncall.test.helper.ts";
import { property } from "./property.test.helper.ts";
import { school } from "./school.test.helper.ts";
import type { Trade } from "./trades.test.helper.ts";
import { travel } from "./travel.test.helper.ts";

/** Trades whose tasks were written after the rules. */
export const trades: readonly Trade[] = [
  travel,
  oncall,
  clinic,
  property,
  marketing,
  helpdesk,
  school,
  forge,
  couriers,
  newsroom,
  lab,
];
