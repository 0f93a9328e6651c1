import type { InterruptionData } from "../../contracts/interruption.ts";
import type { JsonSchema } from "../../contracts/json.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { jsonOutput } from "../../json/checked-json.ts";
import { toJsonSchema } from "../../tools/standard-schema.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { bareQuestion } from "../../journal/bare-question.ts";
import { makeInterruption } from "./approval-binding.ts";
import { fail, isUnattended, toolOf, type PipelineCall } from "./call.ts";
import { recordClientAnswer } from "./record-outcome.ts";
import { find, read } from "./read-call.ts";

/** Refuses a call that no client may or can run: in an unattended run, and with a known secret in its arguments. */
export function gateClientTool(call: PipelineCall): void {
  const { run, toolName } = call;
  if (call.tool?.runsOn !== "client") return;
  if (isUnattended(run)) {
    return fail(
      call,
      "execution_failed",
      `"${toolName}" runs on the client, and this run is unattended (flow.unattended: "fail"), so no client can run it. Nothing ran. Continue without it.`,
      { code: "UNATTENDED", recoverable: false },
    );
  }
  const json = jsonOutput(call.input);
  if (!json.ok) {
    return fail(
      call,
      "invalid_input",
      `The input of "${toolName}" holds ${json.problem}, and a client gets plain JSON. Nothing ran. Use an inputSchema that keeps its values as JSON.`,
      { code: "INPUT_NOT_JSON", recoverable: false, recoveryHint: "report_to_user" },
    );
  }
  if (run.agent.secrets?.holdsSecret(call.input) !== true) return;
  fail(
    call,
    "policy_denied",
    `The arguments of "${toolName}" hold a known secret, and secrets are not sent to a client. Nothing ran. Call the tool without the secret.`,
    { code: "SECRET_IN_ARGUMENTS", recoverable: true, recoveryHint: "check_input" },
  );
}

/** Makes the question that a client answers by running the call. */
export function clientQuestion(call: PipelineCall): InterruptionData {
  return makeInterruption(call, {
    kind: "client_tool",
    question: {
      ...bareQuestion(
        `"${call.toolName}" runs on the client.`,
        "The run waits until a client has run the tool.",
        call.toolCallId,
      ),
      payload: call.args,
    },
    args: ownCopy(call.input),
    answerJsonSchema: answerSchemaOf(call),
  });
}

/** Ends a call with its client's answer. The effect has happened, so no gate runs again. */
export async function takeClientAnswer(
  call: PipelineCall,
  answer: NonNullable<PipelineCall["state"]["clientAnswer"]>,
): Promise<undefined> {
  find(call);
  recordClientAnswer(call, answer);
  await read(call);
  return undefined;
}

/** JSON Schema of the output as the client writes it; `undefined` if the library cannot convert it. */
function answerSchemaOf(call: PipelineCall): JsonSchema | undefined {
  const { outputSchema } = toolOf(call);
  if (outputSchema === undefined) return undefined;
  try {
    return toJsonSchema(outputSchema, "input", `The outputSchema of tool "${call.toolName}"`);
  } catch (error) {
    if (BailiwickError.isInstance(error)) return undefined;
    throw error;
  }
}
