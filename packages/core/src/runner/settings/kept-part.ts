import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { lazyPart, type LazyPart } from "../../loading/lazy-part.ts";
import { isSignedWith, signWith, type KeyOrKeys } from "../../journal/sign-keys.ts";
import type * as KeptOptions from "./kept-options.ts";
import type { Kept } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

/** Stores options and restores them; most runs have none. */
export const keeping: LazyPart<typeof KeptOptions> = lazyPart("Kept options", () => import("./kept-options.ts"));

/** Names of the options that a run keeps in one of these ways. */
export function keptNames(
  rows: Readonly<Record<string, { readonly kept: Kept }>>,
  ...ways: readonly Kept[]
): readonly string[] {
  return Object.entries(rows).flatMap(([name, { kept }]) => (ways.includes(kept) ? [name] : []));
}

const rows = { ...optionTable.both, ...optionTable.run };
const names = keptNames(rows, "stored", "person");
const codeNames = keptNames(rows, "again");

/** The parts of an agent that sign. */
interface Signing {
  readonly hasher: Hasher;
  readonly options: { readonly keys?: { readonly sign?: KeyOrKeys | undefined } | undefined };
}

/** Signs and checks with the keys of an agent. */
export function keepingOf({ hasher, options: { keys } }: Signing): KeptOptions.Keeping {
  const key = keys?.sign;
  return {
    names,
    codeNames,
    sign: (json) => signWith(hasher, key, canonicalJson(json)),
    isSigned: (json, mac = "") => key === undefined || isSignedWith(hasher, key, canonicalJson(json), mac),
  };
}

/** True if the caller of a run gives its own model, which no other one may replace. */
export function hasCallerModel({ model }: RunOptions): boolean {
  return typeof model === "object" && model?.ofCaller === true;
}
