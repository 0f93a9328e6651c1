/** A server's request for an answer of the agent's model. */
export interface SamplingRequest {
  /** The name that the server was given here. */
  readonly server: string;
  /** Messages that the server wants answered, as text; untrusted. */
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** Instructions that the server wants for the model; untrusted. */
  readonly systemPrompt?: string | undefined;
  /** Maximum number of tokens of the answer. */
  readonly maxTokens: number;
}

/** Limits on a server's requests for answers of the agent's model. */
export interface SamplingOptions {
  /** Maximum number of tokens of one answer, even if a server requests more. Default 1,024. */
  readonly maxTokens?: number | undefined;
  /** Maximum number of answers in one tool call. Default 4. */
  readonly maxRequests?: number | undefined;
  /**
   * Decides each request: `ask` makes it a question of the run, which a person answers; a function decides at once. Default:
   * each request is answered within the other limits.
   */
  readonly approve?: "ask" | ((request: SamplingRequest) => boolean | Promise<boolean>) | undefined;
}

/** A folder or file that a server works in. */
export interface McpRoot {
  /** Address that begins with `file://`. */
  readonly uri: string;
  /** Name that the server may show. */
  readonly name?: string | undefined;
}

/** Finds the error in these options; `undefined` if there is none. */
export function samplingMistake(sampling: unknown): string | undefined {
  if (sampling === undefined || typeof sampling === "boolean") return undefined;
  if (typeof sampling !== "object" || sampling === null)
    return `sampling is ${JSON.stringify(sampling)}; use true, or an object with maxTokens, maxRequests and approve`;
  for (const [key, value] of Object.entries(sampling)) {
    if (value === undefined) continue;
    const isLimit = key === "maxTokens" || key === "maxRequests";
    if (isLimit && !(Number.isSafeInteger(value) && Number(value) >= 1))
      return `sampling.${key} is ${JSON.stringify(value)}; give a whole number from 1`;
    if (key === "approve" && value !== "ask" && typeof value !== "function")
      return `sampling.approve is ${JSON.stringify(value)}; use "ask" or a function`;
    if (!isLimit && key !== "approve") return `sampling has no "${key}"; it has maxTokens, maxRequests and approve`;
  }
  return undefined;
}

/** Finds the error in a list of roots; `undefined` if there is none. */
export function rootsMistake(roots: unknown): string | undefined {
  if (roots === undefined) return undefined;
  const isRoot = (one: unknown): boolean =>
    typeof one === "object" && one !== null && String((one as Partial<McpRoot>).uri).startsWith("file://");
  if (Array.isArray(roots) && roots.every(isRoot)) return undefined;
  return `roots is ${JSON.stringify(roots)}; give a list of { uri: "file:///…", name }`;
}
