// Its own process that measures the tier `os`.
import { doctor } from "./doctor.ts";

const { tiers } = await doctor({ tiers: ["os"] });
console.log(JSON.stringify(tiers[0]));
