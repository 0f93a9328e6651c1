import type { Graph } from "./graph-types.ts";
import { checkArgument } from "@bailiwick/core";

/** Maximum characters of a title. */
const mostShown = 60;

type Node = Graph["nodes"][number];
type Edge = Graph["edges"][number];

const shapes: Readonly<Record<Node["kind"], readonly [string, string]>> = {
  agent: ["[", "]"],
  model: ["([", "])"],
  tool: ["[[", "]]"],
  question: ["{{", "}}"],
  entity: ["(", ")"],
  composition: ["((", "))"],
  function: ["[/", "/]"],
};

/**
 * A graph as the text of a Mermaid flowchart, which GitHub, GitLab, Notion and most editors draw. Titles are escaped:
 * text of a model or a tool adds no node, link or style.
 *
 * @param graph - The graph of `runGraph()`, of `compositionGraph()`, or of `application.graph()` of a memory.
 * @example
 * ```ts
 * import { mermaid } from "@bailiwick/compose/graph";
 *
 * console.log(mermaid({ nodes: [], edges: [] })); // flowchart LR
 * ```
 */
export function mermaid(graph: Graph): string {
  checkArgument(graph, "object", "mermaid(await runGraph(agent, runId))");
  const { nodes, edges } = graph;
  checkArgument(nodes, "array", "mermaid(await runGraph(agent, runId))");
  const ids = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const place = (id: string): string => ids.get(id) ?? "n";
  return [
    "flowchart LR",
    ...nodes.map((node) => `  ${place(node.id)}${nodeText(node)}${node.state === undefined ? "" : `:::${node.state}`}`),
    ...edges.map((edge) => `  ${place(edge.from)} -->|${edgeText(edge)}| ${place(edge.to)}`),
    "  classDef done stroke:#2a7a4b",
    "  classDef failed stroke:#b3261e",
    "  classDef open stroke:#8a6d00,stroke-dasharray:4",
    "",
  ].join("\n");
}

function nodeText({ kind, title, calls, note }: Node): string {
  const [left, right] = shapes[kind];
  const more = calls === undefined ? note : calls === 1 ? "1 call" : `${calls} calls`;
  return `${left}"${escaped(title)}${more === undefined ? "" : `<br/>${escaped(more)}`}"${right}`;
}

function edgeText({ kind, turn }: Edge): string {
  const text = escaped(kind);
  return turn === undefined ? text : `${text}, turn ${turn}`;
}

/** A title as Mermaid's own signs: a letter, a digit and a harmless sign as it is, every other sign as its number. */
function escaped(text: string): string {
  const short = text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
  return short.replaceAll(/[^\p{L}\p{N} .,:_…-]/gu, (sign) => `#${sign.codePointAt(0) ?? 32};`);
}
