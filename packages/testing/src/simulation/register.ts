/**
 * Routes the globals of this process for simulations. Load it before all other modules: `setupFiles` of Vitest, or
 * `node --import @bailiwick/testing/simulation/register`.
 *
 * @module simulation/register
 */
import { installRouting } from "./routing/install-routing.ts";

installRouting();
