import type { Principal } from "./vocabularies.ts";

/** Trust in a value, best first; a join has the worse of two. */
export type Integrity = "system" | "user" | "verified" | "untrusted";

/** Principals that may see a value: everyone, a set, or (empty set) no principal. A join has the intersection. */
export type Readers = "public" | readonly Principal[];

/** Id of a label node; unique within a run and its store. */
export type LabelId = string;

/** The origin of a value, as one label node records it. */
export type LabelOrigin =
  | { readonly kind: "system" }
  | { readonly kind: "user"; readonly messageId: string }
  | { readonly kind: "untrusted_part"; readonly messageId: string; readonly index: number }
  | { readonly kind: "tool"; readonly toolName: string; readonly toolCallId: string }
  | { readonly kind: "hosted_tool"; readonly toolName: string }
  | { readonly kind: "memory"; readonly entryId: string }
  | { readonly kind: "session"; readonly sessionId: string }
  | { readonly kind: "definition"; readonly toolName: string }
  | { readonly kind: "model"; readonly turn: number }
  | { readonly kind: "join" }
  | { readonly kind: "endorsed"; readonly by: string; readonly reason: string }
  | { readonly kind: "parent"; readonly runId: string };

/** A label: integrity, readers, and a node of the provenance graph, written once and referred to by id. */
export interface Label {
  /** Id of the label within its run. */
  readonly id: LabelId;
  /** Level of trust of the value. */
  readonly integrity: Integrity;
  /** The value is untrusted only because the code that returned it declares nothing. */
  readonly assumed?: boolean | undefined;
  /** Effect on the control label, if less than the integrity: for leaves that a schema bounds. */
  readonly control?: Integrity | undefined;
  /** Bits that a declared schema bounds the value to; counted per run. */
  readonly bits?: number | undefined;
  /** Readers that may see the value. */
  readonly readers: Readers;
  /** Ids of the labels that this one was joined from. */
  readonly parents: readonly LabelId[];
  /** Source of the value. */
  readonly origin: LabelOrigin;
}
