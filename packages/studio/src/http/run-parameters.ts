import type { RunSearch, StoredRunState } from "@bailiwick/core";
import { storedRunStates } from "@bailiwick/core/store";
import { RequestError } from "@bailiwick/server";

/** Maximum number of runs on a page. */
const mostRuns = 200;

/** Maximum length of a search text, in characters. */
const mostText = 500;

/** Parameters of a search, as `?text=&state=&agent=&user=&tool=&session=&cost=&from=&before=&limit=&after=` has them. */
export function searchOf(query: Readonly<Record<string, string>>): RunSearch {
  const { text, state, agent, user, tool, session, cost, from, before, limit, after } = query;
  const wanted = state === undefined || state === "" ? undefined : state.split(",");
  for (const one of wanted ?? []) {
    if (!(storedRunStates as readonly string[]).includes(one))
      throw invalid(`"state" has "${one}". Give one or more of ${storedRunStates.join(", ")}, separated by commas.`);
  }
  if (text !== undefined && text.length > mostText) throw invalid(`"text" has more than ${mostText} characters.`);
  return {
    text,
    states: wanted as readonly StoredRunState[] | undefined,
    agentId: filled(agent),
    userId: filled(user),
    tool: filled(tool),
    sessionId: filled(session),
    leastCostUsd: numberOf(cost, "cost"),
    createdFrom: numberOf(from, "from"),
    createdBefore: numberOf(before, "before"),
    limit: Math.min(mostRuns, Math.max(1, Math.trunc(numberOf(limit, "limit") ?? 50))),
    after: filled(after),
  };
}

/** A whole number of a query, such as the number of a record. */
export function wholeNumber(text: string | undefined, name: string): number {
  const value = Number(text);
  if (text === undefined || !Number.isSafeInteger(value) || value < 0)
    throw invalid(`"${name}" has to be a whole number from 0.`);
  return value;
}

/** Texts of a JSON body, by name. */
export function textsOf<Name extends string>(body: unknown, names: readonly Name[]): Readonly<Record<Name, string>> {
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const texts = names.map((name) => {
    const value = given[name];
    if (typeof value !== "string" || value.length > 10_000) throw invalid(`"${name}" has to be a text.`);
    return [name, value] as const;
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** A refusal of a parameter. */
export function invalid(message: string): RequestError {
  return new RequestError(400, "INVALID_REQUEST", message);
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

function numberOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw invalid(`"${name}" has to be a number from 0.`);
  return value;
}
