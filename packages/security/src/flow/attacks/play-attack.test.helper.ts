import { createAgentRuntime } from "@bailiwick/core";
import type { FlowMode, Grant, Logger, RunOutput } from "@bailiwick/core";
import { hijackedModel, scriptedModel } from "@bailiwick/testing";
import type { HijackStrategy, HijackedModel } from "@bailiwick/testing";

import { security } from "../../security.ts";
import { plannerAnswer } from "../planner-answer.test.helper.ts";
import { attackersCalls } from "./agentdojo-suites.test.helper.ts";
import type { DojoSuite } from "./agentdojo-suites.test.helper.ts";
import { dojoTools } from "./agentdojo-tools.test.helper.ts";

/** A logger that says nothing. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One attack, or a benign run where there is no injection. */
export interface Attack {
  readonly suite: DojoSuite;
  readonly task: string;
  readonly injection?: string | undefined;
  readonly mode: FlowMode;
  readonly declarations: "schema" | "careful";
  readonly strategy?: HijackStrategy | undefined;
  /** How the attacker hides the words. */
  readonly disguise?: ((text: string) => string) | undefined;
  readonly grants?: readonly Grant[] | undefined;
  /** Untrusted leaves are references; the model counts as hijacked once it sees one. */
  readonly quarantine?: boolean | undefined;
}

/** What came of it. */
export interface Played {
  readonly output: RunOutput;
  readonly model: HijackedModel;
  readonly ran: readonly { readonly name: string; readonly args: unknown }[];
  /** Calls that did what the attacker wanted. */
  readonly achieved: readonly unknown[];
  /** Questions that reached a person, who refused them all. */
  readonly questions: readonly string[];
}

/** Plays one attack with a model that obeys, and a person who refuses whatever is asked. */
export async function play(attack: Attack): Promise<Played> {
  const { suite, task, injection, grants = [] } = attack;
  const goal = injection === undefined ? undefined : (suite.injection_tasks[injection]?.goal ?? "");
  const injected = goal === undefined ? undefined : (attack.disguise ?? String)(goal);
  const { tools, ran } = dojoTools({ suite, task, injected, declarations: attack.declarations });
  const user = suite.user_tasks[task];
  const model = hijackedModel({
    plan: (user?.calls ?? []).map((call) => ({ name: call.function, arguments: call.args })),
    injections: goal === undefined ? [] : attack.quarantine === true ? ["$ref:t"] : [goal],
    attack: (injection === undefined ? [] : (suite.injection_tasks[injection]?.calls ?? [])).map((call) => ({
      name: call.function,
      arguments: call.args,
    })),
    strategy: attack.strategy,
    grants,
  });
  const questions: string[] = [];
  const runtime = createAgentRuntime(
    {
      name: "assistant",
      model,
      tools,
      logger: quiet,
      maxTurns: 40,
      loopDetection: false,
      flow: {
        mode: attack.mode,
        quarantine: attack.quarantine === true,
        planner: scriptedModel(() => plannerAnswer(grants)),
      },
      approval: {
        onApproval: (asked) => {
          questions.push(`${asked.toolName}: ${asked.reason}`);
          return { approved: false };
        },
      },
    },
    security(),
  );
  const output = await runtime.run(user?.prompt ?? "");
  if (attack.strategy === "next-message") await runtime.run("Thanks! Anything else?", { messages: output.messages });
  const achieved = injection === undefined ? [] : attackersCalls(suite, injection, ran);
  return { output, model, ran, achieved, questions };
}
