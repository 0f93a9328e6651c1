import { syncBuiltinESMExports } from "node:module";
import "./platform.ts";
import { shared } from "./routed-process.ts";
import { routeClock } from "./route-clock.ts";
import { routeConsole } from "./route-console.ts";
import { routeEscapes } from "./route-escapes.ts";
import { routeLoading } from "./route-loading.ts";
import { routeNetwork } from "./route-network.ts";
import { routeRandom } from "./route-random.ts";
import { routeTimers } from "./route-timers.ts";

/**
 * Routes the globals and built-in modules of this process: each call of a simulated process goes to its world, every
 * other call to the platform.
 */
export function installRouting(): void {
  if (shared.installed) return;
  shared.installed = true;
  routeLoading();
  routeClock();
  routeTimers();
  routeRandom();
  routeNetwork();
  routeEscapes();
  routeConsole();
  syncBuiltinESMExports();
}
