import { namesEgress } from "./egress-arguments.ts";
import {
  bookingVerbs,
  contentNames,
  graveArguments,
  graveVerbs,
  outwardArguments,
  outwardVerbs,
  paymentArguments,
  payloadNames,
} from "./guess-word-lists.ts";
import { plainForm, wordsOfName } from "./guess-words.ts";

/**
 * [flow.guess.payload] True if an argument's name says that it is content. A name that says URL or host decides in any
 * case.
 */
export function namesPayload(name: string): boolean {
  const last = wordsOfName(name).at(-1);
  return last !== undefined && plainForm(last, payloadNames) !== undefined && !namesEgress(name);
}

/**
 * True if an argument identifies content that a call sends: a file, an attachment or a message, by id or path. For a
 * bare `id` or `path` the tool's name decides, as in `forward_mail(id)`.
 */
export function namesContent(name: string, toolName: string): boolean {
  const own = wordsOfName(name);
  const isBare = own.length === 1 && plainForm(own[0] ?? "", new Set(["id", "path"])) !== undefined;
  const words = isBare ? [...wordsOfName(toolName), ...own] : own;
  const last = words.at(-1) ?? "";
  if (plainForm(last, new Set(["attachment", "file"])) !== undefined) return true;
  const isName = plainForm(last, new Set(["id", "path", "name", "key"])) !== undefined;
  return isName && words.some((word) => plainForm(word, contentNames) !== undefined);
}

/**
 * [flow.guess.outward] True if a call reaches other people, judged by the words in the names of the tool and its
 * arguments.
 */
export function guessOutward(name: string, argumentNames: readonly string[]): boolean {
  return hasWord(name, outwardVerbs) || argumentNames.some((one) => hasWord(one, outwardArguments));
}

/**
 * [flow.guess.grave] True if a call is about money, access or destruction, judged by the same words. A checkout is, and
 * a booking with a means of payment.
 */
export function guessGrave(name: string, argumentNames: readonly string[]): boolean {
  return (
    hasWord(name, graveVerbs) ||
    /(?:^| )checks? out(?: |$)/u.test(wordsOfName(name).join(" ")) ||
    argumentNames.some((one) => hasWord(one, graveArguments)) ||
    (hasWord(name, bookingVerbs) && argumentNames.some((one) => hasWord(one, paymentArguments)))
  );
}

function hasWord(name: string, list: ReadonlySet<string>): boolean {
  return wordsOfName(name).some((word) => plainForm(word, list) !== undefined);
}
