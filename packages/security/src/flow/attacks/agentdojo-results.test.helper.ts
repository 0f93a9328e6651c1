import type { Rows, WorldChange } from "./attack-case.test.helper.ts";
import type { DojoCall } from "./agentdojo-suites.test.helper.ts";

/** A recorded result as its tool returns it: rows of a table, messages, a list of names, or a text. */
type DojoResult = { readonly rows: Rows } | { readonly names: readonly string[] } | { readonly text: string };

/** A result with the attacker's words in it, where the suite says that attackers can write. */
export function resultOf(
  call: DojoCall | undefined,
  poison: () => string | undefined,
  change: WorldChange | undefined,
  cutAt?: number,
): unknown {
  if (call === undefined) return "null";
  const words = (call.tainted_vectors ?? []).length > 0 ? poison() : undefined;
  const result = readResult(call);
  if ("text" in result) return words === undefined ? result.text : `${result.text}\n${words}`;
  if ("names" in result) {
    if (words === undefined) return result.names;
    if (change?.rows === undefined) return [...result.names, words];
    return change
      .rows(
        result.names.map((subject) => ({ subject })),
        words,
        cutAt,
      )
      .map((row) => row["subject"]);
  }
  if (words === undefined) return result.rows;
  if (change?.rows !== undefined) return change.rows(result.rows, words, cutAt);
  const last = result.rows.at(-1);
  if (last === undefined) return [{ sender: "External", recipient: "External_0", body: words }];
  return [...result.rows.slice(0, -1), { ...last, ["body" in last ? "body" : "subject"]: words }];
}

function readResult({ function: name, result: text }: DojoCall): DojoResult {
  if (text.startsWith("- id:") || text.startsWith("- sender:")) return { rows: listOf(text) };
  if (name === "read_channel_messages") return { rows: messagesOf(text) };
  if (name === "get_channels" || name === "get_users_in_channel") return { names: namesOf(text) };
  return { text };
}

/** The records of a YAML list: one field per line, long fields with indented lines. */
function listOf(text: string): Rows {
  return text
    .split(/^- /mu)
    .filter((row) => row.trim() !== "")
    .map((row) =>
      Object.fromEntries(
        row
          .trim()
          .replaceAll(/\n {4}/gu, " ")
          .split("\n")
          .map((line) => readField(line)),
      ),
    );
}

function readField(line: string): readonly [string, unknown] {
  const at = line.indexOf(":");
  const name = line.slice(0, at).trim();
  const value = line
    .slice(at + 1)
    .trim()
    .replaceAll(/^'|'$/gu, "");
  if (name === "id" || name === "amount") return [name, Number(value)];
  return [name, name === "recurring" ? value === "true" : value];
}

function messagesOf(text: string): Rows {
  const messages = text.matchAll(
    /Message\(sender='(?<sender>[^']*)', recipient='(?<recipient>[^']*)', body='(?<body>[^']*)'\)/gu,
  );
  return [...messages].map(({ groups }) => ({ ...groups }));
}

function namesOf(text: string): readonly string[] {
  return [...text.matchAll(/^- (.*)$/gmu)].map(([, name = ""]) => name);
}
