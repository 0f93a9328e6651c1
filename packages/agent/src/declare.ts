/**
 * Declarations of tools: proposals from guesses and samples, a typed file that agents load in one line, and a check for
 * CI.
 *
 * @module declare
 */
export { declared } from "./declare/declarations.ts";
export type { Declarations, ToolDeclaration } from "./declare/declarations.ts";
export { proposeDeclarations } from "./declare/propose-declarations.ts";
export type {
  ExplainedAgent,
  FieldQuestion,
  ProposeOptions,
  ResultQuestion,
  Writers,
} from "./declare/propose-declarations.ts";
export { checkDeclarations } from "./declare/check-declarations.ts";
export type { DeclarationProblem } from "./declare/check-declarations.ts";
export { declarationsFile } from "./declare/declarations-file.ts";
export { samplesFrom } from "./declare/sampled-fields.ts";
export type { Samples } from "./declare/sampled-fields.ts";
