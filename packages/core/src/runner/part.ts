import type { ContentPart } from "../contracts/content-part.ts";
import type { Message } from "../contracts/message.ts";
import type { ModelResponse } from "../contracts/model-response.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { StepSettings } from "../contracts/run-options.ts";
import type { ToolFailure } from "../contracts/tool-call-result.ts";
import type { Sanitized } from "../contracts/ports/security.ts";
import type { InboundSanitizationPolicy } from "../contracts/vocabularies.ts";
import type { Ending } from "./limits/run-control.ts";
import type { Extension, ExtensionContext } from "../contracts/extension.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { RunContext } from "../contracts/run-context.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { durableJson } from "../json/checked-json.ts";
import type { Journal } from "../journal/journal.ts";
import { frozenCopy, frozenView } from "../user-code/copies.ts";

/** A call before it runs. */
export interface GatedSubject<Run> {
  readonly run: Run;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly input: unknown;
  readonly tool: ResolvedTool | undefined;
}

/** The reason why a part stops a call or withholds a result; the model reads it. */
export interface Refusal {
  readonly message: string;
  readonly code: string;
}

/** A part's verdict on a call. Verdicts join: a refusal or a skip ends the gate, and `ask` wins over no verdict. */
export type PartVerdict =
  | { readonly refuse: Refusal }
  /** The call does not run and has this result. */
  | { readonly skip: string }
  /** Asks a person, with this reason. */
  | { readonly ask: string }
  /** Later parts see these arguments, once they are valid. */
  | { readonly replace: unknown; readonly by: string }
  /** Each part checks these arguments again, once they are valid. */
  | { readonly change: unknown; readonly by: string }
  | undefined;

/** `made`: the model made the call; `changed`: its arguments changed; `resumed`: a resumed run continues with it. */
export type GateMoment = "made" | "changed" | "resumed";

/** A result before the model reads it. */
interface ReviewedSubject<Run> {
  readonly call: GatedSubject<Run>;
  readonly content: string | readonly ContentPart[];
  readonly failure: ToolFailure | undefined;
}

export type ReviewVerdict =
  | { readonly refuse: Refusal }
  | { readonly content: string | readonly ContentPart[]; readonly finding?: string | undefined; readonly by: string }
  | undefined;

/** A result after its treatment: cleaned, framed, and without the parts that the model may not see. */
export interface TreatedSubject<Run> extends ReviewedSubject<Run> {
  /** The parsed output. */
  readonly output: unknown;
  /** The sanitizer's treatment of the text, and its frame. */
  readonly treatment?: { readonly policy: InboundSanitizationPolicy; readonly frame: Sanitized["frame"] } | undefined;
}

/** A shorter text of a result; `spilled` is the handle of the blob with the whole text. */
export interface ShortenedResult {
  readonly text: string;
  readonly spilled?: string | undefined;
}

type Addition = Pick<Ending, "followupSuggestions">;

/**
 * A part of a run that decides or observes at some of its points. Hooks, guardrails, stop conditions, extensions and
 * the built-in parts become parts, and the run only uses these. Deciding points fail closed; observing ones are
 * awaited.
 */
export interface Part<Run> {
  readonly name: string;
  /** Tools whose calls `gate` and `review` check. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** The moments at which `gate` runs. */
  readonly moments?: readonly GateMoment[] | undefined;
  readonly gate?: ((call: GatedSubject<Run>, moment: GateMoment) => Promise<PartVerdict>) | undefined;
  readonly review?: ((result: ReviewedSubject<Run>) => Promise<ReviewVerdict>) | undefined;
  /** Shortens a result for the model, after its treatment; synchronous if nothing has to be shortened. */
  readonly shorten?:
    | ((result: TreatedSubject<Run>) => ShortenedResult | undefined | Promise<ShortenedResult | undefined>)
    | undefined;
  /** Settings of a turn. */
  readonly prepare?: ((run: Run, turn: number) => Promise<StepSettings | undefined>) | undefined;
  readonly beforeModel?:
    | ((run: Run, turn: number, messages: readonly Message[]) => Promise<readonly Message[]>)
    | undefined;
  /** The end of a turn; `answered` if the turn has an answer and no calls. */
  readonly afterTurn?: ((run: Run, turn: { readonly answered: boolean }) => Promise<Ending | undefined>) | undefined;
  /** True if the model is called again instead of the end. */
  readonly beforeEnd?: ((run: Run, text: string) => Promise<boolean>) | undefined;
  readonly onStart?: ((run: Run, input: unknown) => Promise<void>) | undefined;
  readonly onToolCall?: ((call: GatedSubject<Run>) => Promise<void>) | undefined;
  readonly onAnswer?: ((run: Run, answer: ModelResponse, turn: number) => Promise<void>) | undefined;
  /** Adds to the ending of a completed run. */
  readonly onCompleted?: ((run: Run) => Addition | Promise<Addition>) | undefined;
  readonly onEnd?: ((run: Run, status: RunOutput["status"], output: () => RunOutput) => Promise<void>) | undefined;
  readonly onError?: ((run: Run, error: Error) => Promise<void>) | undefined;
}

type PointName = Exclude<keyof Part<unknown>, "name" | "tools" | "moments">;

/** The parts of a run at each point, in the order in which they run. */
export type Points<Run> = { readonly [Name in PointName]: readonly PartAt<Run, Name>[] };

type PartAt<Run, Name extends PointName> = Part<Run> & {
  readonly [Point in Name]: NonNullable<Part<Run>[Point]>;
};

const pointNames =
  "gate review shorten prepare beforeModel afterTurn beforeEnd onStart onToolCall onAnswer onCompleted onEnd onError";

export function pointsOf<Run>(parts: readonly Part<Run>[]): Points<Run> {
  const names = pointNames.split(" ") as PointName[];
  return Object.fromEntries(
    names.map((name) => [name, parts.filter((part) => part[name] !== undefined)]),
  ) as unknown as Points<Run>;
}

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
