import type { ContentPart } from "./content-part.ts";
import type { RunContext } from "./run-context.ts";
import type { RunOutput } from "./run-output.ts";

/** A guardrail's verdict: pass, pass with a replacement, or block. */
export type GuardrailResult<Replacement = unknown> =
  | { readonly pass: true; readonly replace?: undefined }
  | { readonly pass: true; readonly replace: Replacement }
  | { readonly pass: false; readonly reason: string };

type Verdict<R> = GuardrailResult<R> | Promise<GuardrailResult<R>>;

interface NamedCheck {
  /** Name in results, records and errors. */
  readonly name: string;
}

interface ToolCheck extends NamedCheck {
  /** Names of the tools that it checks. Default: all. */
  readonly tools?: readonly string[] | undefined;
}

/** Checks the user's input, before the first model call unless `parallel`. */
export interface InputGuardrail extends NamedCheck {
  /** Runs in parallel with the first model call instead of before it; tools wait for its verdict. Default `false`. */
  readonly parallel?: boolean | undefined;
  /** Checks the input before the first model call. */
  readonly validate: (
    input: string | readonly ContentPart[],
    ctx: RunContext,
  ) => Verdict<string | readonly ContentPart[]>;
}

/** Checks the answer of a run; a streamed answer is held until the verdict. */
export interface OutputGuardrail extends NamedCheck {
  /** Checks the answer before the run returns it. */
  readonly validate: (output: RunOutput, ctx: RunContext) => Verdict<string>;
  /** Checks a window of streamed text; text is released with a delay of 200 characters. */
  readonly validateChunk?: ((window: string, ctx: RunContext) => Verdict<string>) | undefined;
}

/** Checks a tool's validated arguments; a replacement is validated again. */
export interface ToolInputGuardrail extends ToolCheck {
  /** Checks the arguments of a call before it runs. */
  readonly validate: (
    call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
    ctx: RunContext,
  ) => Verdict<unknown>;
}

/** Checks a tool's result before the model reads it. */
export interface ToolOutputGuardrail extends ToolCheck {
  /** Checks a result before the model reads it. */
  readonly validate: (
    result: {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly content: string | readonly ContentPart[];
    },
    ctx: RunContext,
  ) => Verdict<string | readonly ContentPart[]>;
}

/** The four kinds of guardrail of an agent. */
export interface Guardrails {
  /** Checks of the run's input. */
  readonly input?: readonly InputGuardrail[] | undefined;
  /** Checks of the answer. */
  readonly output?: readonly OutputGuardrail[] | undefined;
  /** Checks of the arguments of each call. */
  readonly toolInput?: readonly ToolInputGuardrail[] | undefined;
  /** Checks of each tool result. */
  readonly toolOutput?: readonly ToolOutputGuardrail[] | undefined;
}
