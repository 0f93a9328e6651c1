import type { JsonValue } from "./json.ts";
import type { Path } from "./path.ts";
import type { Integrity, Readers } from "./label.ts";
import type { Principal } from "./vocabularies.ts";

/** Information flow into a tool's arguments. Paths address the arguments as JSON (the schema's input side). */
export interface ToolFlow<Arguments = unknown, Input = Arguments> {
  /** Arguments that decide what happens to whom; an unlisted argument of a writer is authority. */
  readonly authority?: readonly Path<Arguments>[] | undefined;
  /** Arguments that are content: free text that the model may compose. */
  readonly payload?: readonly Path<Arguments>[] | undefined;
  /** Arguments that decide where bytes are sent: URLs, hosts. */
  readonly egress?: readonly Path<Arguments>[] | undefined;
  /** The principals that will see what this call sends. Receives the validated input. */
  readonly readers?: ((input: Input) => readonly Principal[]) | undefined;
  /**
   * Names of tools whose pending step a call of this tool completes, such as `["checkout"]` on `confirm_payment`. A call
   * completes only a step of the same run, and each step once.
   */
  readonly confirms?: readonly string[] | undefined;
  /**
   * Calls are about money, access or destruction: their deciding arguments come from the user's words or from declared
   * fields only. Default: guessed from the names of the tool and its arguments.
   */
  readonly grave?: boolean | undefined;
  /** The treatment in `auto` mode of a tool that does not declare its effect; only for tools without `sideEffectClass`. */
  readonly undeclared?: "gate" | "shadow" | undefined;
}

/** Integrity of a tool's output, and the people who may see it. */
export interface ToolOutputTrust<Output = unknown> {
  /** `verified`: your own systems wrote the output. `untrusted` (default): others may have written it. */
  readonly integrity?: Exclude<Integrity, "user"> | undefined;
  /** The principals that may see the output, such as `team:shop`, or `public`. Default: this session only. */
  readonly readers?: readonly Principal[] | "public" | undefined;
  /** Integrity of single fields; all others have `integrity`. */
  readonly fields?:
    | Readonly<Partial<Record<Path<Output>, { readonly integrity: Exclude<Integrity, "user"> }>>>
    | undefined;
  /**
   * Maximum number of rows of a list in the output. A shorter list is whole, so a flood of records left none out.
   * Default: a list of four rows may already be cut, unless the output itself says that no page follows.
   */
  readonly maxRows?: number | undefined;
  /**
   * Fields of rows that the user wrote, such as the user's own payments in a list: numbers, dates and short tokens of
   * rows that fit `where` are verified for grants. Free text is not, because it may quote others.
   */
  readonly rows?:
    | {
        readonly where: Readonly<Record<string, JsonValue>>;
        readonly fields: readonly string[];
        readonly integrity: "verified";
      }
    | undefined;
}

/** A label that a tool returns with its result; it can only lower trust and remove readers. */
export interface ResultLabel {
  /** Integrity of this result; it cannot be higher than the declared one. Default: the declared one. */
  readonly integrity?: Integrity | undefined;
  /** Readers of this result; those that the declaration leaves out are not added. Default: the declared ones. */
  readonly readers?: Readers | undefined;
}
