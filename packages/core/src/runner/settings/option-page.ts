import type { Kept, OptionFacts } from "./option-row.ts";
import type { OptionTable } from "./option-table.ts";

interface AnyRow extends OptionFacts {
  readonly kept?: Kept | undefined;
  readonly merge?: { readonly rule: string } | undefined;
  readonly inside?: string | { readonly rule: string } | undefined;
}

/** The declaration of an option in the contracts. */
export interface OptionDeclaration {
  /** Its doc comment, as one line. */
  readonly meaning: string;
  /** Its type, in short. */
  readonly type: string;
  /** The default that the doc comment names; empty without one. */
  readonly default: string;
}

/** The tables of the page of options, as Markdown. */
export function optionPage(
  table: OptionTable,
  declared: (name: string, where: keyof OptionTable) => OptionDeclaration,
): string {
  const part = (title: string, where: keyof OptionTable): string => {
    const rows = Object.entries(table[where] as Readonly<Record<string, AnyRow>>);
    const merges = where === "both";
    const head = [
      "option",
      "meaning",
      "type",
      "default",
      ...(merges ? ["merge"] : []),
      "inside",
      ...(where === "agent" ? [] : ["kept"]),
    ];
    const lines = rows.map(([name, row]) => {
      const { meaning, type, default: preset } = declared(name, where);
      return [
        `\`${name}\``,
        [meaning.replaceAll("|", "\\|"), fieldsOf(row)].filter((text) => text !== "").join(" "),
        `\`${type.replaceAll("|", "\\|")}\``,
        preset,
        ...(merges ? [row.merge?.rule ?? ""] : []),
        typeof row.inside === "object" ? row.inside.rule : (row.inside ?? "no"),
        ...(where === "agent" ? [] : [row.kept === "field" ? "stored" : (row.kept ?? "")]),
      ];
    });
    return [
      `## ${title}`,
      "",
      ...[head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`),
    ].join("\n");
  };
  return [
    part("Options of an agent that a run may override", "both"),
    part("Options of an agent", "agent"),
    part("Options of a run", "run"),
  ].join("\n\n");
}

function fieldsOf({ fields }: AnyRow): string {
  return fields === undefined
    ? ""
    : `Fields: ${Object.keys(fields)
        .map((field) => `\`${field}\``)
        .join(", ")}.`;
}
