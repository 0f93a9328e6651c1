import type { Integrity } from "@bailiwick/core";

/** A node of the flow picture. */
export interface FlowNode {
  /** Id of the node, unique within the picture. */
  readonly id: string;
  /** Column of the picture: where data came from, a value of a call, or the call. */
  readonly column: "source" | "value" | "sink";
  /** Text of the node. */
  readonly title: string;
  /** Smaller text below the title. */
  readonly note?: string | undefined;
  /** The call did not run, or waits for a person. */
  readonly isStopped?: boolean | undefined;
  /** Trust in the data of the node. */
  readonly integrity: Integrity;
  /** Absent for everyone. */
  readonly readers?: readonly string[] | undefined;
  /** Sequence number of the record behind it. */
  readonly seq?: number | undefined;
  /** Text around the value in its source, as the policy quotes it. */
  readonly quote?: string | undefined;
}

/** An arrow of the flow picture. */
export interface FlowEdge {
  /** Id of the node where the arrow starts. */
  readonly from: string;
  /** Id of the node where the arrow ends. */
  readonly to: string;
  /** Trust in the data that flows along the arrow. */
  readonly integrity: Integrity;
  /** The value decides what happens to whom. */
  readonly decides: boolean;
}

/** A decision of the flow policy. */
export interface FlowDecision {
  /** Sequence number of the record with the decision. */
  readonly seq: number;
  /** Id of the call that was decided. */
  readonly toolCallId: string;
  /** Name of the called tool. */
  readonly toolName: string;
  /** `allow`: the call ran. `ask`: a person was asked. `deny`: the call was refused. */
  readonly verdict: "allow" | "ask" | "deny";
  /** Decision of the person who was asked; absent while the question is open. */
  readonly answer?: "approved" | "rejected" | undefined;
  /** Id of the rule that decided, such as `R3`. */
  readonly rule: string;
  /** One sentence: the effect of the call, or the decision. */
  readonly title: string;
  /** Sentences for people: why. */
  readonly reasons: readonly string[];
  /** The text of the policy, with the ids of rules and calls, for developers. */
  readonly explanation: string;
  /** True if the decision was only recorded and did not stop the call. */
  readonly shadow: boolean;
  /** Code that makes the question unnecessary. */
  readonly remedies: readonly FlowRemedy[];
}

/** Code to copy: a grant for one call, or a declaration of a tool. */
export interface FlowRemedy {
  /** One sentence: the effect of the code. */
  readonly text: string;
  /** The code to copy. */
  readonly code: string;
}

/** Flow of data through a run. */
export interface StudioAuthority {
  /** Sources, values and calls. */
  readonly nodes: readonly FlowNode[];
  /** Arrows between the nodes. */
  readonly edges: readonly FlowEdge[];
  /** Decisions of the flow policy, in order. */
  readonly decisions: readonly FlowDecision[];
}
