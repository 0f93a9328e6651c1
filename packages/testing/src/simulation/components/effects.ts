/** An effect in the world outside, as a receiver counted it. */
export interface Effect {
  /** Name, such as `payment`. */
  readonly name: string;
  /** Subject of the effect, such as the number of an invoice. */
  readonly id: string;
  /** Idempotency key of the request. */
  readonly key?: string | undefined;
  /** Number of the effect at its receiver, from 1. */
  readonly number: number;
}

/** A tool call whose effect a request may be. */
export interface OpenCall {
  /** Run of the call. */
  readonly runId: string;
  /** Id of the call in its run. */
  readonly toolCallId: string;
  /** Tool of the call. */
  readonly toolName: string;
  /** Arguments of the call. */
  readonly args: unknown;
}

/** A request for an effect. */
export interface EffectRequest extends Effect {
  /** Virtual time at which the receiver had it, in milliseconds. */
  readonly at: number;
  /** Process that sent it. */
  readonly process: string;
  /** True if the receiver knew its key, and made no second effect. */
  readonly isRepetition: boolean;
  /** Calls that the process had begun when it sent the request. */
  readonly calls: readonly OpenCall[];
}

/** The effects of one receiver, or of all. */
export interface Effects {
  /** Every effect, in order. */
  readonly list: readonly Effect[];
  /**
   * Finds the effect of an idempotency key.
   *
   * @param key - The key of the request that made it.
   */
  find(key: string | undefined): Effect | undefined;
  /**
   * Counts effects.
   *
   * @param name - Name of the effect.
   * @param id - What it is about; default: all.
   */
  count(name: string, id?: unknown): number;
}

/** Makes the view of a list of effects, which grows. */
export function effectsIn(list: readonly Effect[]): Effects {
  return {
    list,
    find: (key) => (key === undefined ? undefined : list.find((effect) => effect.key === key)),
    count: (name, id) =>
      list.filter((effect) => effect.name === name && (id === undefined || effect.id === idText(id))).length,
  };
}

/** The text of what an effect is about. */
export function idText(id: unknown): string {
  return typeof id === "string" ? id : (JSON.stringify(id) ?? "");
}
