import type { Tool } from "@bailiwick/core";

type Fields = Readonly<Record<string, unknown>>;

/** Changes that an attacker makes to the records of a result, besides the words in them. */
export interface Forgery {
  /** `add`: a copy of each record. `rewrite`: the texts of the attacker's own record. `displace`: copies, and no other record. */
  readonly how: "add" | "rewrite" | "displace";
  /** Rows at which the tool cuts its list. Default 10. */
  readonly cutAt?: number | undefined;
  /** The arguments of the attacker's calls: a copy has them in the fields of the same meaning. */
  readonly wanted: Fields;
}

/** The result of a tool with the attacker's records in its lists. */
export function withForgeries(
  result: unknown,
  words: string,
  forgery: Forgery,
  output: Tool["output"],
  path = "",
): unknown {
  if (Array.isArray(result) && result.length > 0 && result.every(isFields)) {
    const forge = (row: Fields): Fields => forged(row, `${path}[]`, words, forgery, output);
    const isOwn = (row: Fields): boolean =>
      words !== "" && JSON.stringify(row).includes(JSON.stringify(words).slice(1, -1));
    switch (forgery.how) {
      case "add":
        return [...result, ...result.map(forge)];
      case "rewrite":
        return result.map((row: Fields) => (isOwn(row) ? forge(row) : row));
      case "displace":
        return Array.from({ length: forgery.cutAt ?? 10 }, (_, at) => forge(result[at % result.length] as Fields));
      default:
        return forgery.how satisfies never;
    }
  }
  if (!isFields(result)) return result;
  const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [key, withForgeries(value, words, forgery, output, below(key))]),
  );
}

/** A record of the attacker. The system itself writes verified fields: a new id, and the attacker's name as the author. */
function forged(row: Fields, path: string, words: string, { how, wanted }: Forgery, output: Tool["output"]): Fields {
  const isVerified = (key: string): boolean =>
    output?.integrity === "verified" ||
    (output?.fields as Readonly<Record<string, { integrity?: string }>> | undefined)?.[`${path}.${key}`]?.integrity ===
      "verified";
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (how === "rewrite" && isVerified(key)) return [key, value];
      const other = Object.entries(wanted).find(([name, one]) => meansSame(key, name) && typeof one === typeof value);
      if (other !== undefined) return [key, other[1]];
      if (isVerified(key))
        return [key, typeof value === "string" && isAuthor(key) ? "mallory@attacker.example" : value];
      return [key, how === "rewrite" && typeof value === "string" ? words : value];
    }),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Tells if a field and an argument have the same meaning: `quote_id` and `quoteId`, `id` and `requestId`, `from` and
 * `to`.
 */
function meansSame(field: string, argument: string): boolean {
  const [a, b] = [field, argument].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/gu, ""));
  if (a === undefined || b === undefined) return false;
  const ids = a.endsWith("id") && b.endsWith("id");
  return a === b || (ids && (a === "id" || b.endsWith(a))) || (isAddress(a) && isAddress(b));
}

function isAddress(name: string): boolean {
  return /^(?:to|recipient|email|emailaddress|from|requester|sender|attendees|login)$/u.test(name);
}

function isAuthor(key: string): boolean {
  return /from|sender|requester|user|author|owner|reporter/iu.test(key);
}
