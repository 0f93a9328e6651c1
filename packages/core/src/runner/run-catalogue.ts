import type { BegunRun } from "./begin-run.ts";
import type { Catalogue } from "../registry/catalogue.ts";
import { portableHasher } from "../journal/hasher.ts";
import { catalogue } from "./interim-registry.ts";
export function buildCatalogue(run: BegunRun): Promise<Catalogue> {
  return run.definition.registry.catalogueFor(run.context);
}
export const emptyCatalogue: Catalogue = catalogue([], portableHasher());
