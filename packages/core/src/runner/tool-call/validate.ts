import { canonicalJson, isSameJson } from "../../json/canonical-json.ts";
import { callValue } from "./call-value.ts";
import { durableJson } from "../../json/checked-json.ts";
import type { SchemaIssue } from "../../contracts/schema.ts";
import type { ResolvedTool, Validation } from "../../contracts/resolved-tool.ts";
import { removeAddedNulls } from "../../providers/strict-schema.ts";
import { isExtract } from "../../tools/extract.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { andThen, fail, settled, toolOf, type MaybePromise, type PipelineCall } from "./call.ts";
import { toError } from "../../user-code/call-user-code.ts";
import { reasonOf } from "../hooks/hook-failures.ts";
import { askSchema } from "../hooks/hooks-runner.ts";
import type { ArgumentProblem } from "./failure.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { Decision } from "../../contracts/interruption.ts";
import { SealKeyMissingError } from "../../errors/configuration-errors.ts";
import type { Agent, Run } from "../run.ts";
import type { JsonSchema } from "../../contracts/json.ts";
import { suggestion } from "../../errors/value-checks.ts";
import type { PathStep } from "../../tools/paths.ts";
import { schemaHasPath } from "../../tools/schema-paths.ts";

const issuesShown = 20;

const fromModel = "The arguments";

/**
 * Makes the value of a call: what the tool's schema makes of the model's arguments. A model may write null for an
 * optional field that it leaves out: arguments that do not match are checked once more without such nulls.
 */
export function validate(call: PipelineCall, given: unknown): MaybePromise<void> {
  return andThen(parseArguments(call, given, fromModel), (problem) => {
    if (problem?.details.code !== "ARGUMENTS_INVALID") return refuse(call, problem);
    const args = removeAddedNulls(given, toolOf(call).__inputJsonSchema);
    if (isSameJson(args, given)) return refuse(call, problem);
    return andThen(parseArguments(call, args, fromModel), (rest) => refuse(call, rest && problem));
  });
}

/**
 * Checks arguments and applies them to the call.
 *
 * @param source - Author of the arguments, as the first words of the error.
 */
export function validateArguments(call: PipelineCall, args: unknown, source: string): MaybePromise<void> {
  return andThen(problemOf(call, args, source), (found) => refuse(call, found));
}

/**
 * Checks replaced arguments and applies them if they fit.
 *
 * @returns why they do not fit.
 */
export function problemOf(
  call: PipelineCall,
  args: unknown,
  source: string,
): MaybePromise<ArgumentProblem | undefined> {
  // Arguments of a model are already JSON.
  const json = args === call.args ? undefined : durableJson(args);
  if (json === undefined || json.ok) return parseArguments(call, args, source);
  return {
    message: `${source} of "${call.toolName}" hold ${json.problem}, which is not plain JSON, so nothing ran.`,
    details: { code: "NOT_JSON" },
  };
}

function refuse(call: PipelineCall, problem: ArgumentProblem | undefined): void {
  if (problem === undefined) return;
  call.value = undefined;
  fail(call, "invalid_input", problem.message, problem.details);
}

/**
 * Makes the value of a call of other arguments, if they fit.
 *
 * @returns why they do not fit.
 */
export function parseArguments(
  call: PipelineCall,
  args: unknown,
  source: string,
): MaybePromise<ArgumentProblem | undefined> {
  return settled<Validation, ArgumentProblem | undefined>(
    () => inputOf(call.run, toolOf(call), args),
    (result) => {
      if (!result.ok)
        return {
          message: `${source} of "${call.toolName}" do not match its schema, so nothing ran: ${describeIssues(result.issues)}.`,
          details: { code: "ARGUMENTS_INVALID" },
        };
      const { run } = call;
      call.value = callValue(run.agent.hasher, args, resolved(run, toolOf(call), args), result.value);
      return undefined;
    },
    (error) => ({
      message: `${source} of "${call.toolName}" could not be checked against its schema (${reasonOf(call, toError(error))}), so nothing ran.`,
      details: BailiwickError.isInstance(error) ? { code: error.code } : {},
    }),
  );
}

/** Parses arguments. */
function inputOf(run: Run, tool: ResolvedTool, args: unknown): MaybePromise<Validation> {
  const given = resolved(run, tool, args);
  return askSchema(run, `inputSchema of ${tool.name}`, () => tool.__validateInput(given));
}

/** References are placeholders for values that the model may not see; only the tool gets the values. */
export function resolved(run: Partial<Pick<Run, "flow">>, tool: ResolvedTool, args: unknown): unknown {
  return isExtract(tool) ? args : (run.flow?.resolveReferences(args) ?? args);
}

/** Hash of the input that the tool is given; `undefined` for an input without a canonical form, such as a function. */
export function parsedHash({ run, input, args, argsHash }: PipelineCall): string | undefined {
  if (input === args) return argsHash;
  try {
    return run.agent.hasher.sha256(canonicalJson(input));
  } catch {
    return undefined;
  }
}

/** Every issue with its path, as one sentence. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  const shown = issues
    .slice(0, issuesShown)
    .map((issue) => `${issue.path === "" ? "(root)" : issue.path}: ${issue.message}`);
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return shown.join("; ");
}

const quotedCharacters = 500;

/**
 * The arguments as the provider parsed them, or their text, parsed as JSON. Empty text means `{}`; other invalid text is
 * not repaired: the call ends.
 */
export function parse(call: PipelineCall): unknown {
  if (call.run.journal.state.lastAnswer?.toolCalls[call.index]?.redacted === true && call.state.exact === undefined)
    return refuseUnsealed(call);
  const text = call.rawArguments;
  // A copy: changes by the tool must not change the conversation.
  if (call.givenInput !== undefined) return ownCopy(call.givenInput);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = reasonOf(call, toError(error));
    return fail(
      call,
      "invalid_input",
      `The arguments of "${call.toolName}" are not valid JSON (${reason}), so nothing ran. You wrote: ${quote(text)}. Write them again as one complete JSON object.`,
      { code: "ARGUMENTS_NOT_JSON" },
    );
  }
}

/** Shows the beginning and the end of a text: the problem is usually in one of them. */
function quote(text: string): string {
  if (text.length <= quotedCharacters) return text;
  const half = quotedCharacters / 2;
  return `${text.slice(0, half)} … [${text.length - quotedCharacters} characters left out] … ${text.slice(-half)}`;
}

/** Refuses a call whose arguments contain a known secret, if they cannot be stored for an approval. */
export function refuseUnsealed(call: PipelineCall): void {
  const { toolName, run } = call;
  run.logger.warn(
    `A call of "${toolName}" in run ${run.runId} was refused: its arguments hold a known secret. To let people approve such calls, give Agent({ keys: { seal } }).`,
  );
  fail(
    call,
    "policy_denied",
    `The arguments of "${toolName}" hold a known secret, which needs keys.seal and an approval. Nothing ran. Call the tool without it: a tool reads its secrets by itself.`,
    { code: "SEAL_KEY_MISSING", recoverable: true, recoveryHint: "check_input" },
  );
}

/** Refuses a call whose arguments contain a known secret that the model wrote, if no person decides about the call. */
export function refuseUnasked(call: PipelineCall): void {
  if (call.state.exact === undefined) return;
  fail(
    call,
    "policy_denied",
    `The arguments of "${call.toolName}" hold a known secret, and no person can approve it. Nothing ran. Call the tool without it: a tool reads its secrets by itself.`,
    { code: "SECRET_IN_ARGUMENTS", recoverable: true, recoveryHint: "check_input" },
  );
}

/** True if a person's decision contains a known secret in the arguments of a tool. */
export function holdsSecret({ secrets }: Agent, decision: Decision): boolean {
  if (secrets === undefined) return false;
  if (decision.type === "approve") return decision.args !== undefined && secrets.holdsSecret(decision.args);
  return decision.type === "answer" && secrets.holdsSecret(decision.value);
}

/**
 * Refuses a decision whose arguments or answer contain a known secret, if they could be read in the journal.
 *
 * @throws SealKeyMissingError; nothing changed, and the question stays open.
 */
export function checkSealable(agent: Agent, runId: string, decision: Decision): void {
  if (agent.sealer !== undefined || !holdsSecret(agent, decision)) return;
  throw new SealKeyMissingError(
    `The decision "${decision.id}" holds a known secret, and run "${runId}" has no key to seal it with. Give Agent({ keys: { seal } }), or leave the secret out: a tool reads its secrets by itself. Nothing changed; the question stays open.`,
    { runId },
  );
}

/**
 * Applies a decision of a person who edited the arguments as shown: a value that was left as shown, without its
 * secret, keeps the model's original.
 */
export function meantDecision<Given extends Decision>(agent: Holder, decision: Given, original: unknown): Given {
  if (decision.type !== "approve" || decision.args === undefined) return decision;
  const args = meantArguments(agent, decision.args, original);
  return args === decision.args ? decision : { ...decision, args };
}

type Holder = Pick<Agent, "secrets" | "sanitizer">;

function meantArguments(agent: Holder, edited: unknown, original: unknown): unknown {
  const { secrets, sanitizer } = agent;
  if (secrets === undefined || edited === original || !secrets.holdsSecret(original)) return edited;
  if (typeof original === "string") {
    const scrubbed = secrets.scrub(original);
    return edited === (sanitizer === undefined ? scrubbed : sanitizer.display(scrubbed)) ? original : edited;
  }
  if (!isObject(edited) || !isObject(original) || Array.isArray(edited) !== Array.isArray(original)) return edited;
  if (Array.isArray(edited))
    return edited.map((item: unknown, index) => meantArguments(agent, item, (original as unknown as unknown[])[index]));
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [
      key,
      Object.hasOwn(original, key) ? meantArguments(agent, value, original[key]) : value,
    ]),
  );
}

/** True for an object or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Finds a field of edited arguments that the tool does not have and the model did not write. A schema that drops
 * unknown fields would drop it silently, and the call would run as if the person had changed nothing.
 *
 * @param edited - The arguments as a person edited them.
 * @param before - The arguments that the person was shown.
 * @returns the field with the name that was probably meant, as the end of a sentence.
 */
export function unknownField(schema: JsonSchema, edited: unknown, before: unknown): string | undefined {
  return find(edited, before, []);

  function find(value: unknown, shown: unknown, steps: readonly PathStep[]): string | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) {
      const items = Array.isArray(shown) ? (shown as readonly unknown[]) : [];
      return firstOf(value, (item, index) => find(item, items[Number(index)], [...steps, { items: true }]));
    }
    const known = typeof shown === "object" && shown !== null ? (shown as Readonly<Record<string, unknown>>) : {};
    return firstOf(value, (member, key) => {
      const path = [...steps, { key }];
      if (!Object.hasOwn(known, key) && !schemaHasPath(schema, path)) return described(path, Object.keys(known));
      return find(member, Object.hasOwn(known, key) ? known[key] : undefined, path);
    });
  }
}

function firstOf(value: object, find: (member: unknown, key: string) => string | undefined): string | undefined {
  for (const [key, member] of Object.entries(value)) {
    const found = find(member, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function described(path: readonly PathStep[], shown: readonly string[]): string {
  const name = path.map((step) => ("key" in step ? step.key : "[]")).join(".");
  const last = path.at(-1);
  return `the tool has no field "${name}"${last !== undefined && "key" in last ? suggestion(last.key, shown) : ""}`;
}
