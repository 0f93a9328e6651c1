/** A tool call, as the fakes of its run get it. */
export interface FakedCall {
  /** Name of the tool. */
  readonly toolName: string;
  /** The arguments with which the tool would be executed: a copy. */
  readonly args: unknown;
  /** True if the tool may change something. */
  readonly writes: boolean;
  /**
   * True if the effect of the tool is declared: by its own code, or by your entry with its name. What a server says of
   * its tools does not count.
   */
  readonly declared: boolean;
  /** Id of the run that calls the tool. */
  readonly runId: string;
  /** Id of the call. */
  readonly toolCallId: string;
  /** Names of the agents around the call, the outermost first. */
  readonly agentPath: readonly string[];
  /** The key that the service would get; `undefined` if the tool has none. */
  readonly idempotencyKey: string | undefined;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** The answer of a fake: an output (also one that `toolReturn()` made), or the error that the tool would throw. */
export type FakeAnswer = { readonly output: unknown } | { readonly error: unknown };

/**
 * Takes the place of the tools of a run and of the runs inside its calls: questions, refusals, keys and labels are those
 * of production, and no tool changes anything outside.
 */
export interface Fakes {
  /**
   * Answers a call in place of its tool. With `undefined`, only a tool that declares that it reads runs; any other call
   * is refused with `FAKE_MISSING`.
   *
   * @param call - The call.
   */
  readonly answer: (call: FakedCall) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;
  /** Names of tools that are executed although they change something, where `answer` returns `undefined`. Default: none. */
  readonly realEffects?: readonly string[] | undefined;
  /**
   * The store of the run belongs to the caller alone: sessions and memory work. Default: a run with fakes writes no
   * session and no memory.
   */
  readonly ownStore?: true | undefined;
}
