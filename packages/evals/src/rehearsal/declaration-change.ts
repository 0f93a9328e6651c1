import { createAgentRuntime, type AgentRuntime, type Tool } from "@bailiwick/core";
import type { AskedQuestion } from "./question-figures.ts";

/** A declaration that could make questions unnecessary. */
export interface DeclarationChange {
  /** Name of the tool. */
  readonly tool: string;
  /** Integrity of its output. */
  readonly integrity?: "verified" | undefined;
  /** People who may see its output. */
  readonly readers?: "public" | undefined;
  /** An argument that is content, and no longer decides. */
  readonly payload?: string | undefined;
}

/** Declarations that are tried for one list of questions. */
const mostChanges = 24;

/** The declarations that could have made questions unnecessary, those of the most questions first. */
export function changesFor(questions: readonly AskedQuestion[]): readonly DeclarationChange[] {
  const found = new Map<string, { readonly change: DeclarationChange; times: number }>();
  const add = (change: DeclarationChange): void => {
    const key = JSON.stringify(change);
    const before = found.get(key);
    if (before === undefined) found.set(key, { change, times: 1 });
    else before.times += 1;
  };
  for (const { tool, untrusted, earlier, fields } of questions) {
    for (const source of untrusted) add({ tool: source, integrity: "verified" });
    for (const source of earlier) add({ tool: source, readers: "public" });
    for (const source of untrusted) add({ tool: source, integrity: "verified", readers: "public" });
    for (const field of fields) add({ tool, payload: field });
  }
  return [...found.values()]
    .toSorted((a, b) => b.times - a.times)
    .slice(0, mostChanges)
    .map(({ change }) => change);
}

/** The agent with other declarations; `undefined` if a function makes its tools. */
export function withChanges(
  { definition, ports }: AgentRuntime,
  changes: readonly DeclarationChange[],
): AgentRuntime | undefined {
  const { store: _store, session: _session, memory: _memory, ledger: _ledger, ...options } = definition.options;
  const { tools = [] } = options;
  if (typeof tools === "function") return undefined;
  const changed = tools.map((tool: Tool) => changes.filter((one) => one.tool === tool.name).reduce(changedTool, tool));
  try {
    return createAgentRuntime({ ...options, tools: changed }, ports);
  } catch {
    // The declaration contradicts others of the tool.
    return undefined;
  }
}

function changedTool(tool: Tool, { integrity, readers, payload }: DeclarationChange): Tool {
  const output = integrity ?? readers;
  return {
    ...tool,
    ...(output !== undefined && {
      output: {
        ...tool.output,
        ...(integrity !== undefined && { integrity }),
        ...(readers !== undefined && { readers }),
      },
    }),
    ...(payload !== undefined && { flow: { ...tool.flow, payload: [...(tool.flow?.payload ?? []), payload] } }),
  };
}

/** A declaration in words. */
export function changeText({ tool, integrity, readers, payload }: DeclarationChange): string {
  const parts = [
    ...(integrity === undefined ? [] : [`integrity: "${integrity}"`]),
    ...(readers === undefined ? [] : [`readers: "${readers}"`]),
    ...(payload === undefined ? [] : [`"${payload}" is content`]),
  ];
  return `${tool} ${parts.join(", ")}`;
}

/** A declaration as the changed lines of the file that `bailiwick declare` writes. */
export function changeDiff({ tool, integrity, readers, payload }: DeclarationChange): string {
  const fields = [
    ...(integrity === undefined && readers === undefined
      ? []
      : [
          `output: { ${[...(integrity === undefined ? [] : [`integrity: "${integrity}"`]), ...(readers === undefined ? [] : [`readers: "${readers}"`])].join(", ")} }`,
        ]),
    ...(payload === undefined ? [] : [`flow: { payload: ["${payload}"] }`]),
  ];
  return `+  ${/^[A-Za-z_$][\w$]*$/u.test(tool) ? tool : JSON.stringify(tool)}: { ${fields.join(", ")} },`;
}
