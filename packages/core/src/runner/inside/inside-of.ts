import type { Runnable } from "../../contracts/runnable.ts";
import { namesInside } from "../../registry/resolve-name.ts";
import { runtimeOf } from "./runtime-of.ts";

/** The composition of a tool that runs something. */
export interface InsideOf {
  readonly kind: "agent" | "handoff" | "node";
  readonly agentName: string;
  /** The runs inside are of this framework: their calls are gated there. */
  readonly gated: boolean;
  /** The tools inside, which policies may name. */
  readonly names: readonly string[];
}

/** Describes a tool that runs a runnable. */
export function insideOf(kind: InsideOf["kind"], runnable: Runnable): InsideOf {
  const runtime = runtimeOf(runnable);
  const tools = runtime?.definition.registry.known.list() ?? [];
  return {
    kind,
    agentName: runnable.name,
    gated: runtime !== undefined,
    names: tools.flatMap((tool) => [tool.name, ...namesInside(tool)]),
  };
}
