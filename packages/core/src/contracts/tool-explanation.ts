import type { JsonSchema } from "./json.ts";
import type { Integrity } from "./label.ts";
import type { SandboxPolicy, SideEffectClass } from "./vocabularies.ts";

/** Argument of a tool, as the flow rules see it. */
export interface ArgumentExplanation {
  /** The path of the argument, with `[]` for the items of an array. */
  readonly path: string;
  /**
   * The role of the argument. `decides`: what happens to whom. `sends`: where data goes. `payload`: content that the
   * model may write. `free`: an argument of a reader.
   */
  readonly role: "decides" | "sends" | "payload" | "free";
  /** The origin of the role. */
  readonly by: "declared" | "guessed" | "default";
}

/** A tool as the flow rules see it, with the reason. */
export interface FlowExplanation {
  /** Name of the tool. */
  readonly name: string;
  /** `writer` if calls change something. */
  readonly effect: "reader" | "writer";
  /** `source`: the effect of all tools of its source. `default`: the mode treats each undeclared tool as a writer. */
  readonly by: "declared" | "source" | "guessed" | "default";
  /** One sentence for people. */
  readonly why: string;
  /** Calls need a grant or an approval once the model has read untrusted text. */
  readonly gated: boolean;
  /** Calls reach people other than the user and the tool's own system. */
  readonly outward: boolean;
  /** True if calls move money, change access or destroy data. */
  readonly grave: boolean;
  /** The arguments of the tool with their roles. */
  readonly arguments: readonly ArgumentExplanation[];
  /** Schema of the arguments, such as for a form in which a person edits a call. */
  readonly inputJsonSchema: JsonSchema;
  /** Integrity of results, and its origin. */
  readonly output: { readonly integrity: Integrity; readonly by: "declared" | "source" | "default" };
  /** Hash of name, description and schemas. */
  readonly definition: string;
  /**
   * The guess from the name, description and schema of a tool of yours that declares no effect: the same in each mode,
   * also in those that do not follow it. `declaration`, and the proposals of `bailiwick declare`, are made of it.
   */
  readonly guess?: Pick<FlowExplanation, "effect" | "why" | "outward" | "grave" | "arguments"> | undefined;
  /** Line to add to the tool so that nothing has to be guessed. */
  readonly declaration?: string | undefined;
}

/** A tool with the rules that apply to its calls, and the reason. */
export interface ToolExplanation extends FlowExplanation {
  /** The effect that the tool declares or counts as. */
  readonly sideEffectClass: SideEffectClass;
  /**
   * The rule of the tool and of the agent's `approval.policy`; `sometimes` if a function decides. The flow policy can ask
   * about other calls too.
   */
  readonly approval: "always" | "sometimes" | "never";
  /** The sandbox in which the tool's code runs. */
  readonly sandbox: SandboxPolicy;
  /** Names of the secrets that the tool may read. */
  readonly secrets: readonly string[];
}
