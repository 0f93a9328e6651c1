import { registerHooks } from "node:module";
import { outside } from "./routed-process.ts";

/** Loads modules outside of simulated processes: a compiler that loads with them may use threads and processes. */
export function routeLoading(): void {
  registerHooks({
    resolve: (specifier, context, next) => outside(() => next(specifier, context)),
    load: (url, context, next) => outside(() => next(url, context)),
  });
}
