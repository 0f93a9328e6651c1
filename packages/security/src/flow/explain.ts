import type { CallView } from "./call-view.ts";
import type { Ruling } from "./decide-call.ts";
import { inOneLine } from "./one-line.ts";

/** Characters of a value that one explanation shows. */
const valueShown = 80;

/** Number of the last characters that are shown of a longer text. */
const endShown = 20;

/** A value as an explanation shows it. */
export function shown(value: unknown): string {
  const text = inOneLine(JSON.stringify(value) ?? "nothing");
  if (text.length <= valueShown) return text;
  // The end too: the deciding part may come after a long irrelevant one.
  const [head, tail] = [text.slice(0, valueShown - endShown), text.slice(-endShown)];
  return `${head.toWellFormed()} … ${tail.toWellFormed()}, ${text.length} characters`;
}

/** The reason of a refusal, without any content of the data: a model reads this [flow.r10]. */
export function explainDenial(call: CallView, ruling: Ruling): string {
  return ruling.rule === "R4"
    ? `the conversation holds data that no one may read, and "${call.tool.name}" would send it on. No grant and no approval lifts that.`
    : `"${call.tool.name}" is not allowed here.`;
}

/** [grants.correction] The form that the user's request allows for an argument: a model reads this. */
export function explainForm({ path, argument }: NonNullable<Ruling["form"]>): string {
  return `the user's request allows it only with "${path}" as ${JSON.stringify(argument)}. Call it again in that form, if it is what the user asked for.`;
}

/** The reason why a call was allowed. */
export function explainAllow(call: CallView, ruling: Ruling): string {
  if (ruling.grant !== undefined) {
    const when = ruling.grant.grant.when === undefined ? "" : ` (when ${shown(ruling.grant.grant.when)})`;
    return `Covered by grant ${ruling.grant.index} of the ${ruling.grant.source}${when}.`;
  }
  return ruling.rule === "R1" ? "A read without an argument that decides where data goes." : "No rule is against it.";
}
