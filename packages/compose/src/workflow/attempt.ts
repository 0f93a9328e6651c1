import { checkKnownNames } from "@bailiwick/core";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { isInvalidValue, nodeFailed } from "./node-failed.ts";
import { nodesByName } from "./nodes.ts";
import type { NodeResult } from "./program.ts";
import { ConfigurationError } from "@bailiwick/core";

const places = ["try", "catch", "finally"] as const;
type Place = (typeof places)[number];

/** Makes `attempt()`. */
export function attemptOn(host: WorkflowHost) {
  return (options: GivenOptions, given: Partial<Record<Place, unknown>>): unknown => {
    checkOptions("attempt", options);
    checkKnownNames(given ?? null, places, "attempt()");
    const present = Object.entries(given).filter(([, node]) => node !== undefined);
    const nodes = nodesByName("attempt", Object.fromEntries(present));
    if (!nodes.has("try"))
      throw new ConfigurationError("INVALID_OPTION", `attempt(): "try" is missing: attempt({}, { try: first }).`);
    const nameOf = (place: Place): string | undefined => nodes.get(place)?.name;
    const { name = "attempt" } = options;
    const [first = "", second, last] = places.map(nameOf);
    return compose(
      {
        kind: "attempt",
        nodes: [...nodes.values()],
        edges: [
          { to: first, kind: "try" },
          ...(second === undefined ? [] : [{ from: first, to: second, kind: "if it fails" }]),
          ...(last === undefined ? [] : [{ from: second ?? first, to: last, kind: "finally" }]),
        ],
        options,
        program: ({ input, steps }) => {
          const resultOf = (node: string | undefined): NodeResult | undefined =>
            steps.flat().find((result) => result.node === node);
          const tried = resultOf(first);
          if (tried === undefined) return { calls: [{ node: first, given: input }], chosenBy: "code" };
          if (!tried.ok && isInvalidValue(tried.error)) throw nodeFailed(name, tried);
          const [caught, ended] = [resultOf(second), resultOf(last)];
          // Another version may have had no "catch", and run "finally" after the failure.
          const isCaught = !tried.ok && second !== undefined && (caught !== undefined || ended === undefined);
          if (!tried.ok && isCaught && caught === undefined) {
            const given = { value: { input: input.value, error: tried.error } };
            return { calls: [{ node: second, given }], chosenBy: "data" };
          }
          if (last !== undefined && ended === undefined)
            return { calls: [{ node: last, given: input }], chosenBy: "code" };
          const settled = caught ?? tried;
          if (second !== undefined && (isCaught || tried.ok)) {
            if (!settled.ok) throw nodeFailed(name, settled);
            return { answer: settled.value };
          }
          return { answer: settled.ok ? { ok: true, value: settled.value } : { ok: false, error: settled.error } };
        },
      },
      host,
    );
  };
}
