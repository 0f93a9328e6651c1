import type { Integrity, MemoryEntry, MemoryKind, MemoryScope, MemoryStore, Readers } from "@bailiwick/core";
import { isDoubted } from "./labels.ts";
import { mayRead } from "./recall-memories.ts";

/** A person or thing of the memory. */
export interface MemoryGraphNode {
  /** Unique in the graph: the name without differences of case and spaces. */
  readonly id: string;
  /** Always `entity`. */
  readonly kind: "entity";
  /** The name as the newest memory writes it that is not untrusted, if there is one. */
  readonly title: string;
  /** `untrusted` if only untrusted memories name it; otherwise the trust of the newest other one. */
  readonly integrity: Integrity;
  /** `untrusted` if its integrity is; a picture shows it. */
  readonly note?: string | undefined;
}

/** A relation of two entities: what one memory says. */
export interface MemoryGraphEdge {
  /** Id of the node where it begins. */
  readonly from: string;
  /** Id of the node that it leads to. */
  readonly to: string;
  /** The relation in words, such as `works at`. */
  readonly kind: string;
  /** Id of the memory that states the relation. */
  readonly memoryId: string;
  /** Trust of that memory. */
  readonly integrity: Integrity;
  /** Readers of that memory. */
  readonly readers: Readers;
}

/** The entities of a memory and their relations; `mermaid()` of `@bailiwick/compose/graph` draws it. */
export interface MemoryGraph {
  /** Entities, those of the newest memories first. */
  readonly nodes: readonly MemoryGraphNode[];
  /** Relations, those of the newest memories first. */
  readonly edges: readonly MemoryGraphEdge[];
}

/** Options of a graph. */
export interface MemoryGraphOptions {
  /** Shows the relations that were true at this time, in milliseconds since the epoch. Default: now. */
  readonly asOf?: number | undefined;
  /** Shows only entities that this one is related to, and the relations between them. Default: all. */
  readonly about?: string | undefined;
}

/** Kinds that are facts, not blocks of an agent. */
const kinds: readonly MemoryKind[] = ["episodic", "semantic", "procedural", "shared"];

/** Number of memories that a graph is made of, the newest first. */
const mostMemories = 10_000;

/** Makes the graph of the memories that a scope may read. */
export async function memoryGraph(
  store: MemoryStore,
  scope: MemoryScope,
  { asOf, about }: MemoryGraphOptions,
): Promise<MemoryGraph> {
  const hits = await store.query({
    scope,
    kinds,
    limit: mostMemories,
    budgetTokens: Number.MAX_SAFE_INTEGER,
    ...(asOf !== undefined && { asOf }),
  });
  const entries = hits.map(({ entry }) => entry).filter((entry) => mayRead(entry, scope));
  const whole = graphOf(entries);
  return about === undefined ? whole : around(whole, idOf(about));
}

function graphOf(entries: readonly MemoryEntry[]): MemoryGraph {
  const nodes = new Map<string, MemoryGraphNode>();
  const edges: MemoryGraphEdge[] = [];
  for (const { id: memoryId, label, relations = [] } of entries) {
    const { integrity, readers } = label;
    for (const { from, kind, to } of relations) {
      for (const title of [from, to]) {
        const known = nodes.get(idOf(title));
        if (known === undefined || isDoubted(known.integrity, integrity))
          nodes.set(idOf(title), nodeOf(title, integrity));
      }
      edges.push({ from: idOf(from), to: idOf(to), kind, memoryId, integrity, readers });
    }
  }
  return { nodes: [...nodes.values()], edges };
}

function nodeOf(title: string, integrity: Integrity): MemoryGraphNode {
  return { id: idOf(title), kind: "entity", title, integrity, ...(integrity === "untrusted" && { note: integrity }) };
}

/** An entity and those that it has a relation with, in either direction. */
function around({ nodes, edges }: MemoryGraph, id: string): MemoryGraph {
  const near = new Set([id]);
  for (const { from, to } of edges) {
    if (from === id) near.add(to);
    if (to === id) near.add(from);
  }
  return {
    nodes: nodes.filter((node) => near.has(node.id)),
    edges: edges.filter(({ from, to }) => near.has(from) && near.has(to)),
  };
}

/** The same id for names that differ only in case, spaces or the form of their accents. */
function idOf(name: string): string {
  return name.normalize("NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase();
}
