import { tool, toolReturn, ToolError, type Tool } from "@bailiwick/core";
import { nearestNames, withSource } from "@bailiwick/core/extension";
import { buildSearchIndex } from "@bailiwick/core/store";
import type { KnownSkill } from "./known-skills.ts";
import { textOf } from "./read-skill.ts";

/** Name of the tool that loads a skill's text. */
export const SKILL = "skill";
/** Name of the tool that reads a file of a skill. */
const SKILL_READ = "skill_read";

const own = { integrity: "verified", readers: "public" } as const;
const outside = { integrity: "untrusted", readers: "public" } as const;

/** Characters of a description in the tool's own description: about 100 tokens. */
const longestDescription = 400;
/** Characters of all descriptions there. */
const longestList = 8_000;
/** Descriptions that are listed. */
const mostDescriptions = 30;
/** Names that the schema lists. */
const mostNames = 100;
/** Skills of one list. */
const mostListed = 20;
const mostLines = 2_000;
const longestLine = 2_000;

const isTrusted = ({ trust }: KnownSkill): boolean => trust !== "outside";

/**
 * Makes the tools that the model loads skills with.
 *
 * @param skills - The skills, by name.
 * @param hasWorkspace - Their files are in a workspace, at `/skills/<name>`.
 */
export function skillTools(skills: readonly KnownSkill[], hasWorkspace: boolean): readonly Tool[] {
  const byName = new Map(skills.map((one) => [one.skill.name, one]));
  const made = [skillTool(byName, hasWorkspace)];
  if (skills.some(({ skill }) => skill.files.size > 1)) made.push(readTool(byName));
  return made.map((one) => withSource(one, { kind: "built-in", subsystem: "skills" }));
}

function skillTool(byName: ReadonlyMap<string, KnownSkill>, hasWorkspace: boolean): Tool {
  const skills = [...byName.values()];
  const index = buildSearchIndex(
    skills.map(({ skill }) => ({
      id: skill.name,
      fields: [
        { text: skill.name, weight: 3 },
        { text: skill.description, weight: 1 },
      ],
    })),
  );
  const made: Tool = tool({
    name: SKILL,
    description: descriptionOf(skills),
    inputSchema: {
      type: "object",
      properties: {
        name: {
          type: "string",
          description: "The skill to load.",
          ...(skills.length <= mostNames && { enum: [...byName.keys()] }),
        },
        query: {
          type: "string",
          maxLength: 1_000,
          description: "Without a name: words of the task, to find skills by.",
        },
      },
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    output: own,
    execute: async (input) => {
      const { name, query } = input as { readonly name?: string; readonly query?: string };
      if (name !== undefined) return loaded(find(byName, name), hasWorkspace);
      const names = query === undefined ? [...byName.keys()] : index.search(query, byName.size).map(({ id }) => id);
      return listed(
        names.flatMap((one) => byName.get(one) ?? []),
        byName.size,
      );
    },
  });
  return made;
}

function readTool(byName: ReadonlyMap<string, KnownSkill>): Tool {
  const made: Tool = tool({
    name: SKILL_READ,
    description: "Reads lines of a text file of a skill, such as a reference that its text names.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The skill." },
        path: { type: "string", description: "Path of the file in the skill's folder." },
        offset: { type: "integer", minimum: 1, description: "First line. Default: 1." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: mostLines,
          description: `Number of lines. Default: ${mostLines}.`,
        },
      },
      required: ["name", "path"],
      additionalProperties: false,
    },
    sideEffectClass: "read-only",
    output: own,
    execute: async (input) => {
      const {
        name,
        path,
        offset = 1,
        limit = mostLines,
      } = input as {
        readonly name: string;
        readonly path: string;
        readonly offset?: number;
        readonly limit?: number;
      };
      const known = find(byName, name);
      const file = known.skill.files.get(path);
      if (file === undefined) {
        const near = nearestNames(path, known.skill.files.keys());
        throw new ToolError(
          `The skill "${name}" has no file "${path.slice(0, 200)}". ${near.length > 0 ? `The nearest: ${near.join(", ")}.` : "Load the skill: its text ends with the list of its files."}`,
        );
      }
      const text = textOf(file.bytes);
      if (text === undefined || text.includes("\0"))
        throw new ToolError(`${path} of the skill "${name}" is not a text file.`);
      const lines = text.split(/\r?\n/u);
      const shown = lines.slice(offset - 1, offset - 1 + limit);
      const rest = lines.length - (offset - 1 + shown.length);
      const output = [
        ...shown.map(
          (line, at) => `${offset + at}\t${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line}`,
        ),
        ...(rest > 0 ? [`(${rest} more lines; continue with offset ${offset + shown.length})`] : []),
      ].join("\n");
      return returned(known, output, path);
    },
  });
  return made;
}

function find(byName: ReadonlyMap<string, KnownSkill>, name: string): KnownSkill {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const near = nearestNames(name, byName.keys());
  throw new ToolError(
    `There is no skill "${name.slice(0, 100)}". ${near.length > 0 ? `The nearest: ${near.join(", ")}.` : "Call this tool without a name for the list."}`,
  );
}

function loaded(known: KnownSkill, hasWorkspace: boolean): ReturnType<typeof toolReturn> {
  const { name, text, files } = known.skill;
  const others = [...files.keys()].filter((path) => path !== "SKILL.md");
  const place = hasWorkspace ? `Its files are in /skills/${name}.` : "Its scripts cannot be run here.";
  const list = others.length === 0 ? [] : ["", `Files of this skill: ${others.join(", ")}`, place];
  return returned(known, [text, ...list].join("\n"));
}

function returned({ skill, trust }: KnownSkill, output: string, path?: string): ReturnType<typeof toolReturn> {
  return toolReturn({
    output,
    label: trust === "outside" ? outside : own,
    details: { skill: skill.name, hash: skill.hash, origin: trust, ...(path !== undefined && { path }) },
  });
}

/** A list with the description of a skill of others is text of others as a whole. */
function listed(found: readonly KnownSkill[], all: number): ReturnType<typeof toolReturn> {
  const shown = found.slice(0, mostListed);
  const lines = shown.map(({ skill }) => `- ${skill.name}: ${skill.description}`);
  const others = all - shown.length;
  if (others > 0) lines.push(`${others} other skills. Pass words of the task as \`query\` to find them.`);
  return toolReturn({
    output: lines.length === 0 ? "There are no skills." : lines.join("\n"),
    label: shown.every(isTrusted) ? own : outside,
  });
}

/** Your own skills with their descriptions, and the names of the others: text of others never steers the model unlabelled. */
function descriptionOf(skills: readonly KnownSkill[]): string {
  let room = longestList;
  const described: string[] = [];
  const named: string[] = [];
  for (const known of skills) {
    const { name, description } = known.skill;
    const line =
      `- ${name}: ${description.length > longestDescription ? `${description.slice(0, longestDescription - 1)}…` : description}`.replaceAll(
        /\s+/gu,
        " ",
      );
    if (!isTrusted(known) || described.length >= mostDescriptions || line.length > room) named.push(name);
    else {
      room -= line.length;
      described.push(line);
    }
  }
  const lines = [
    "Loads the instructions for a kind of task. Load the skill that fits before you begin with the task.",
    ...(described.length > 0 ? ["Skills:", ...described] : []),
    ...(named.length > 0
      ? [
          `${described.length > 0 ? "Other skills" : "Skills"}: ${(named.length <= mostNames ? named : named.slice(0, mostNames)).join(", ")}${named.length > mostNames ? `, and ${named.length - mostNames} more` : ""}. Call it without a name for their descriptions.`,
        ]
      : []),
  ];
  return lines.join("\n");
}
