// Writes the page of events and records, from the event table and the model of the API that TypeDoc made.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownOfComment, typeText } from "./typedoc-text.mjs";

/**
 * @param {any} project the JSON of TypeDoc
 * @param {string} table the event table as Markdown
 * @param {string} folder
 */
export function writeEventPage(project, table, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const payloads = find(project, "JournalPayloads")?.children ?? [];
  const text = [
    "---",
    "description: Every event of a run and every record of its journal, with its fields.",
    "---",
    "",
    "# Events and records",
    "",
    "`agent.stream()` gives events while a run happens. Events of the kind `journal` are also records of the run's journal: `agent.inspect(runId)` returns them, in order, with `seq`, `time` and a hash.",
    "",
    "## Events",
    "",
    table.trim(),
    "",
    "How to read them: [Streaming](../guides/streaming.md). Metrics and traces: [Observability](../guides/observability.md).",
    "",
    "## Records",
    "",
    "The fields of each record of the journal. A field with `?` may be absent.",
    "",
    ...payloads.flatMap((/** @type {any} */ payload) => recordLines(payload)),
  ].join("\n");
  writeFileSync(join(folder, "index.md"), `${text.trim()}\n`);
}

/** @param {any} payload */
function recordLines(payload) {
  const about = markdownOfComment(payload.comment);
  const fields = payload.type?.declaration?.children ?? [];
  return [
    `### \`${payload.name}\``,
    "",
    ...(about === "" ? [] : [about, ""]),
    ...(fields.length === 0
      ? [payload.type?.type === "reference" ? `Fields of \`${typeText(payload.type)}\`.` : "No fields.", ""]
      : [
          "| field | type | meaning |",
          "| --- | --- | --- |",
          ...fields.map(
            (/** @type {any} */ field) =>
              `| \`${field.name}${field.flags?.isOptional ? "?" : ""}\` | \`${typeText(field.type).replaceAll("|", "\\|")}\` | ${markdownOfComment(field.comment).replaceAll(/\s+/g, " ").replaceAll("|", "\\|")} |`,
          ),
          "",
        ]),
  ];
}

/**
 * @param {any} project
 * @param {string} name
 */
function find(project, name) {
  for (const pack of project.children)
    for (const module of pack.children?.[0]?.kind === 2 ? pack.children : [pack])
      for (const one of module.children ?? []) if (one.name === name && one.children !== undefined) return one;
  return undefined;
}
