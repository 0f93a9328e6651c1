import type { Extension, ExtensionContext } from "../contracts/extension.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { RunContext } from "../contracts/run-context.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { durableJson } from "../json/checked-json.ts";
import type { Journal } from "../journal/journal.ts";
import { frozenCopy, frozenView } from "../user-code/copies.ts";

/** Keys of extension state in the session's state; tools neither see nor set them. */
const statePrefix = "bailiwick:extension:";

/** An extension of a run, with the journal that stores its state: that of the outermost run that has it. */
export interface ActiveExtension {
  readonly extension: Extension;
  readonly journal: Journal;
}

/** The extensions of a run: its own in the order of registration, then those of the calling run. */
export function activeExtensions(
  own: readonly Extension[],
  journal: Journal,
  inherited: readonly ActiveExtension[],
): readonly ActiveExtension[] {
  if (own.length === 0) return inherited;
  // An extension of both runs is called once, with the calling run's state.
  const mine = own.filter((extension) => !inherited.some((outer) => outer.extension === extension));
  return [...mine.map((extension) => ({ extension, journal })), ...inherited];
}

/** The second argument of an extension's functions. */
export function extensionContext(
  { extension, journal }: ActiveExtension,
  run: { readonly context: RunContext; readonly journal: Journal },
): ExtensionContext {
  const key = statePrefix + extension.name;
  return {
    run: run.context,
    turn: run.journal.state.turn,
    get state(): JsonValue | undefined {
      const { sessionState } = journal.state;
      return Object.hasOwn(sessionState, key)
        ? frozenView(sessionState[key] as JsonValue)
        : frozenCopy(extension.initialState);
    },
    setState(state: JsonValue): void {
      journal.record({ type: "state.changed", stateKey: key, value: jsonOf(extension, state) });
    },
  };
}

function jsonOf({ name }: Extension, state: JsonValue): JsonValue {
  const json = durableJson(state);
  if (json.ok) return json.value;
  throw new BailiwickError(
    "NOT_JSON",
    `setState() of the extension "${name}" was given ${json.problem}, which is not plain JSON. The state is kept with the run: give a JSON value.`,
  );
}
