import { lazyPart } from "../../loading/lazy-part.ts";
import type { Run } from "../run.ts";
import type * as HintTexts from "./hint-texts.ts";

const texts = lazyPart<typeof HintTexts>("The hints of a run", () => import("./hint-texts.ts"));

/** Hints of runs that are not logged yet. */
const pending = new WeakMap<object, Promise<void>>();

/** Logs advice for the developer. If its text cannot be loaded, nothing is logged: the run is not affected. */
export function hint(run: Pick<Run, "logger">, text: (part: typeof HintTexts) => string): void {
  const logged = Promise.resolve(pending.get(run))
    .then(() => texts((part) => run.logger.warn(text(part))))
    .catch(() => undefined);
  pending.set(run, logged);
}

/** Settles when the hints of a run are logged; `undefined` for a run without one. */
export function hintsLogged(run: object): Promise<void> | undefined {
  return pending.get(run);
}
