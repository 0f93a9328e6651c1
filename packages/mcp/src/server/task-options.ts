/** Settings of one tool as a task. */
export interface ToolTaskOptions {
  /** Time of this tool; default that of all tools. */
  readonly afterMs?: number | undefined;
  /** `true` refuses calls of clients that do not support tasks, with the protocol's error. Default `false`. */
  readonly required?: boolean | undefined;
}

/** When a long call becomes a task of the protocol's extension, and for how long. */
export interface TaskOptions {
  /**
   * A call that has neither ended nor asked after this time becomes a task, in milliseconds; 0 makes each call a task.
   * Default 5,000.
   */
  readonly afterMs?: number | undefined;
  /**
   * Lifetime of a task, from its call on, in milliseconds. A run that has not ended by then fails as expired. Default
   * 86,400,000.
   */
  readonly ttlMs?: number | undefined;
  /** Polling interval for clients, in milliseconds. Default 1,000. */
  readonly pollIntervalMs?: number | undefined;
  /** Other settings for single tools, by the names that clients see. Default: none. */
  readonly tools?: Readonly<Record<string, ToolTaskOptions>> | undefined;
}

/** Settings with all defaults filled in. */
export interface TaskTerms {
  readonly afterMs: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly tools: Readonly<Record<string, ToolTaskOptions>>;
}

const longest = 2 ** 31 - 1;

/** The task settings of a server; `undefined` if calls never become tasks. */
export function taskTermsOf(tasks: boolean | TaskOptions | undefined): TaskTerms | undefined {
  if (tasks === undefined || tasks === false) return undefined;
  const { afterMs = 5_000, ttlMs = 86_400_000, pollIntervalMs = 1_000, tools = {} } = tasks === true ? {} : tasks;
  return { afterMs, ttlMs, pollIntervalMs, tools };
}

/** Finds the first error in the settings, as a sentence. */
export function tasksMistake(tasks: unknown, names: readonly string[]): string | undefined {
  if (tasks === undefined || typeof tasks === "boolean") return undefined;
  if (typeof tasks !== "object" || tasks === null)
    return `tasks is ${JSON.stringify(tasks)}; use true, or { afterMs, ttlMs, pollIntervalMs, tools }`;
  const { tools = {}, ...times } = tasks as Readonly<Record<string, unknown>>;
  const wrong = timesMistake(times, { afterMs: 0, ttlMs: 1, pollIntervalMs: 1 }, "tasks");
  if (wrong !== undefined) return wrong;
  for (const [name, terms] of Object.entries(tools as object)) {
    if (!names.includes(name)) return `tasks.tools has "${name}", which is not a tool of this server`;
    const { required, ...rest } = (terms ?? {}) as Readonly<Record<string, unknown>>;
    if (required !== undefined && typeof required !== "boolean")
      return `tasks.tools["${name}"].required is ${JSON.stringify(required)}; use true or false`;
    const mistake = timesMistake(rest, { afterMs: 0 }, `tasks.tools["${name}"]`);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function timesMistake(
  given: Readonly<Record<string, unknown>>,
  least: Readonly<Record<string, number>>,
  where: string,
): string | undefined {
  for (const [key, value] of Object.entries(given)) {
    const from = least[key];
    if (from === undefined) return `${where} has no option "${key}"`;
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || (value as number) < from || (value as number) > longest)
      return `${where}.${key} is ${JSON.stringify(value)}; give milliseconds, a whole number from ${from}`;
  }
  return undefined;
}
