import { ConfigurationError, type JsonValue } from "@bailiwick/core";
import { checkCallback, yesOrNo } from "./ask-author.ts";
import { checkOptions, compose, type GivenOptions, type WorkflowHost } from "./compose.ts";
import { valueOf } from "./node-failed.ts";
import { nodeOf } from "./nodes.ts";
import { unnamed } from "./pipeline.ts";

type LoopOptions = GivenOptions & {
  readonly until: (value: JsonValue, round: number) => boolean;
  readonly maxRounds?: number | undefined;
};

const defaultRounds = 10;

/** Makes `loop()`. */
export function loopOn(host: WorkflowHost) {
  return (options: LoopOptions, body: unknown): unknown => {
    checkOptions("loop", options, "until", "maxRounds");
    const { until, maxRounds = defaultRounds, ...settings } = options;
    checkCallback("loop", "until", until);
    if (!Number.isInteger(maxRounds) || maxRounds < 1)
      throw new ConfigurationError("INVALID_OPTION", `loop(): "maxRounds" must be a whole number of at least 1.`);
    const node = nodeOf("loop", "the body", body, unnamed(body, "round"));
    const { name = "loop" } = options;
    return compose(
      {
        kind: "loop",
        nodes: [node],
        edges: [
          { to: node.name, kind: "first round" },
          { from: node.name, to: node.name, kind: "again" },
        ],
        options: settings,
        program: async ({ input, steps }, author) => {
          const last = steps.at(-1)?.[0];
          if (last === undefined) return { calls: [{ node: node.name, given: input }], chosenBy: "code" };
          const value = valueOf(name, last);
          const round = steps.length;
          if (round >= maxRounds || (await author("until", until, [value, round], yesOrNo)) === true)
            return { answer: value };
          return { calls: [{ node: node.name, given: { value } }], chosenBy: "data" };
        },
      },
      host,
    );
  };
}
