import type { Guardrails } from "../../contracts/guardrail.ts";

/** The guardrails of both; one that both have is asked once. */
export function joinGuardrails(first: Guardrails | undefined, second: Guardrails | undefined): Guardrails | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const both = <Guardrail>(one: readonly Guardrail[] = [], other: readonly Guardrail[] = []): readonly Guardrail[] => [
    ...new Set([...one, ...other]),
  ];
  return {
    input: both(first.input, second.input),
    output: both(first.output, second.output),
    toolInput: both(first.toolInput, second.toolInput),
    toolOutput: both(first.toolOutput, second.toolOutput),
  };
}

/** The guardrails of a run that are asked about the tool calls of the runs inside it. */
export function guardrailsInside(guardrails: Guardrails | undefined): Guardrails | undefined {
  return guardrails && { toolInput: guardrails.toolInput, toolOutput: guardrails.toolOutput };
}
