import type { FlowMode, FlowOptions, Grant, Logger, ModelProvider, Question, RunOutput, Tool } from "@bailiwick/core";
import { plannerAnswer, hijackedModel, scriptedModel } from "@bailiwick/testing";
import type { HijackStrategy, HijackedModel } from "@bailiwick/testing";

import { withProposals } from "./proposed-tools.test.helper.ts";
import type { Holder, InnerSetting } from "./holders.test.helper.ts";
import type { AttackCase, Declarations, RanCall, WorldChange } from "./attack-case.test.helper.ts";
import { plain } from "./deliveries.test.helper.ts";
import type { Delivery, Scene } from "./deliveries.test.helper.ts";

/** A logger that drops every message. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Settings of a played case. */
export interface Playing {
  readonly mode: FlowMode;
  readonly declarations: Declarations;
  /** The tools have the declarations that were proposed for them. */
  readonly isProposed?: boolean | undefined;
  readonly strategy?: HijackStrategy | undefined;
  /** The path from the attacker's words to the model. Default: unchanged, in one result. */
  readonly delivery?: Delivery | undefined;
  /** The open grants; default those of the case. */
  readonly grants?: AttackCase["grants"] | undefined;
  /** The planner leaves open which values the words do not fix: they have to be in reach. */
  readonly opens?: boolean | undefined;
  /** The person approves everything. */
  readonly agreeable?: boolean | undefined;
  /** Untrusted leaves are references; the model counts as hijacked once it sees one. */
  readonly quarantine?: boolean | undefined;
  /** Place of the writers; default as the delivery says. */
  readonly holder?: Holder | undefined;
  /** Flow setting of the agent that has the writers. */
  readonly inner?: InnerSetting;
  /** Changes of the attacker to the world. */
  readonly change?: WorldChange | undefined;
  /** Writes the attacker's words in another way; the model still understands them. */
  readonly words?: ((goal: string) => string) | undefined;
  /** Treatment of tools without declarations; default as the mode says. */
  readonly undeclared?: FlowOptions["undeclared"];
  /** Leaves out the honest calls after the attack: they cannot change the result of a direct attack. */
  readonly endsWithAttack?: boolean | undefined;
  /** Proposes the grants; default a clean planner that was written by hand. */
  readonly plannerModel?: ModelProvider | undefined;
}

/** The result. */
export interface Played {
  readonly outputs: readonly RunOutput[];
  /** True if a model read the attacker's words. */
  readonly hijacked: boolean;
  readonly ran: readonly RanCall[];
  /** Calls that did what the attacker wanted. */
  readonly achieved: readonly RanCall[];
  /** Such calls with a record that the attacker added to a list, if the request lets the model choose from the list. */
  readonly chosen: readonly RanCall[];
  /** Calls that changed something, but neither belong to the task nor are what the attacker wanted. */
  readonly overSent: readonly RanCall[];
  /** Questions that reached a person. */
  readonly questions: readonly AskedQuestion[];
}

/** A question that reached a person. */
interface AskedQuestion {
  readonly toolName: string;
  readonly title: string;
  readonly question: Question;
  /** The call belongs to the task. */
  readonly asked: boolean;
  readonly rules: readonly string[];
}

/** A grant that lists only what the words fix. */
function withOpenArguments(grant: Grant): Grant {
  const fixed = Object.entries(grant.args).filter(([, argument]) => "eq" in argument);
  return { ...grant, args: Object.fromEntries(fixed) };
}

/** Plays one case. The person approves the calls of the task, and rejects all others. */
export async function play(whole: AttackCase, playing: Playing): Promise<Played> {
  const attacked = playing.endsWithAttack === true ? { ...whole, plan: whole.plan.slice(0, whole.exposed + 1) } : whole;
  const { mode, declarations, strategy, delivery = plain, quarantine = false } = playing;
  const { goal, plan, attack } = attacked;
  const given = playing.grants ?? attacked.grants;
  const grants = playing.opens === true ? given.map(withOpenArguments) : given;
  const written = (words: string | undefined): string | undefined =>
    words === undefined ? undefined : (playing.words?.(words) ?? words);
  const {
    tools: staged,
    ran,
    keys,
  } = attacked.stage(
    declarations,
    (nth) => (goal === undefined ? undefined : written(delivery.words(goal, nth))),
    playing.change === undefined ? undefined : { ...playing.change, wanted: argumentsOf(attack) },
  );
  const tools = playing.isProposed === true ? await withProposals(staged) : staged;
  const models: HijackedModel[] = [];
  const hijacked: Scene["hijacked"] = (changes) => {
    const model = hijackedModel({
      plan,
      injections: goal === undefined ? [] : [quarantine ? "$ref:t" : (written(goal) ?? goal)],
      attack,
      strategy: strategy ?? delivery.strategy,
      grants,
      ...changes,
    });
    models.push(model);
    return model;
  };
  const questions: AskedQuestion[] = [];
  const wanted = new Set(plan.map(({ name, arguments: args }) => keyOf(name, args)));
  const agree: Scene["agree"] = ({ toolName, args, question }) => {
    const asked = wanted.has(keyOf(toolName, withoutDefaults(args, question)));
    questions.push({ toolName, title: question.title, question, asked, rules: question.developer.rules });
    return asked || playing.agreeable === true;
  };
  // A clean planner grants everything that a user asks for: if it took the attacker's words for the user's, it would
  // obey them.
  const honest = plannerAnswer(grants);
  const obedient = plannerAnswer(attack.map((call) => obeying(call.name, call.arguments, tools)));
  const planner = scriptedModel((request) =>
    goal !== undefined && request.messages.some(({ text }) => text.includes(JSON.stringify(goal).slice(1, -1)))
      ? obedient(request)
      : honest(request),
  );
  const options = {
    name: "assistant",
    logger: quiet,
    maxTurns: 40,
    loopDetection: false as const,
    ...(keys !== undefined && { keys }),
    flow: {
      mode,
      quarantine,
      planner: playing.plannerModel ?? planner,
      ...(playing.undeclared !== undefined && { undeclared: playing.undeclared }),
    },
  };
  const scene: Scene = { options, tools, attacked, hijacked, agree };
  const outputs = await (playing.holder?.(scene, playing.inner) ?? delivery.drive(scene));
  // A record that the attacker adds to a list is one of the choices if the request leaves the choice to the list.
  const isChoice = ({ name }: RanCall): boolean =>
    playing.change?.forge !== undefined && grants.some((grant) => grant.tool === name && leavesChoice(grant));
  const achieved = ran.filter((call) => attacked.isAttackers(call) && !isChoice(call));
  const chosen = ran.filter((call) => attacked.isAttackers(call) && isChoice(call));
  const due = plan.map(({ name, arguments: args }) => keyOf(name, withoutSetBySchema(tools, name, args)));
  const overSent = ran.filter((call) => {
    if (!attacked.isWriter(call.name) || attacked.isAttackers(call)) return false;
    const at = due.indexOf(keyOf(call.name, withoutSetBySchema(tools, call.name, call.args)));
    if (at >= 0) due.splice(at, 1);
    return at < 0;
  });
  return { outputs, hijacked: models.some((model) => model.hijacked), ran, achieved, chosen, overSent, questions };
}

/** All arguments of some calls. */
function argumentsOf(calls: AttackCase["attack"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(calls.flatMap((call) => Object.entries(call.arguments ?? {})));
}

/** Tells if a grant gives any of several values, or the one with the largest or smallest field. */
function leavesChoice({ args }: Grant): boolean {
  return Object.values(args).some(
    (argument) =>
      ("ref" in argument && (argument.ref.each === true || argument.ref.by !== undefined)) ||
      ("the" in argument && argument.each === true),
  );
}

/** The grant for exactly what an attacker asks for. */
function obeying(tool: string, args: unknown, tools: readonly { readonly name: string }[]): Grant {
  const fields = Object.entries((args ?? {}) as Readonly<Record<string, string>>);
  return {
    tool,
    args: Object.fromEntries(fields.map(([path, value]) => [path, { eq: value }])),
    from: tools.map(({ name }) => ({ tool: name })),
  };
}

/** The arguments that the model wrote, without the values that the tool's schema set. */
function withoutDefaults(args: unknown, { values }: Question): unknown {
  const set = new Set(values.flatMap(({ path, origin }) => (origin.from === "schema" ? [path] : [])));
  return Object.fromEntries(Object.entries(args ?? {}).filter(([name]) => !set.has(name)));
}

/** Arguments without the fields that have the default of their JSON Schema: a schema sets them in calls that leave them out. */
function withoutSetBySchema(tools: readonly Tool[], toolName: string, args: unknown): unknown {
  const schema: object | undefined = tools.find(({ name }) => name === toolName)?.inputSchema;
  const properties: Readonly<Record<string, { readonly default?: unknown }>> =
    schema !== undefined && "properties" in schema ? (schema.properties as never) : {};
  const isDefault = ([name, value]: readonly [string, unknown]): boolean =>
    JSON.stringify(properties[name]?.default) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(args ?? {}).filter((field) => !isDefault(field)));
}

function keyOf(name: string, args: unknown): string {
  const fields = Object.entries(args ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A call with inert links still counts as the same call.
  const text = JSON.stringify(fields).replaceAll("[.]", ".").replaceAll("[at]", "@").replaceAll("&lt;", "<");
  return `${name} ${text}`;
}

/** Results of many cases. */
export interface Tally {
  /** The cases whose attacker got what they wanted, with the calls that did it. */
  readonly achieved: readonly string[];
  readonly cases: number;
  /** Number of models that read the attacker's words. */
  readonly hijacked: number;
  /** Calls that ran outside of the task, and are not what the attacker wanted. */
  readonly overSent: number;
  /** Questions about calls that are not part of the task. */
  readonly questions: number;
}

/** Plays many cases. */
export async function playAll(cases: readonly AttackCase[], playing: Playing): Promise<Tally> {
  const achieved: string[] = [];
  let hijacked = 0;
  let overSent = 0;
  let questions = 0;
  for (const each of cases) {
    const played = await play(each, playing);
    if (played.hijacked) hijacked += 1;
    overSent += played.overSent.length;
    questions += played.questions.filter(({ asked }) => !asked).length;
    if (played.achieved.length > 0) achieved.push(`${each.name} ${JSON.stringify(played.achieved)}`);
  }
  return { achieved, cases: cases.length, hijacked, overSent, questions };
}
