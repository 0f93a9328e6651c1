import { foldText } from "./fold-character.ts";
import { stemAutomaton, type StemAutomaton } from "./stem-automaton.ts";

/** One thing that is looked for: cheap stems first, the pattern only where a stem occurs. */
interface Probe {
  readonly name: string;
  readonly stems: readonly string[];
  readonly pattern: RegExp;
}

/** Between two words: bounded, like the ends of words below, so that no text takes longer than its length. */
const filler = String.raw`[\s\p{P}]+(?:\p{L}+[\s\p{P}]+){0,4}?`;
const words = (source: string): RegExp => new RegExp(source.replaceAll("~", filler), "u");

const probes: readonly Probe[] = [
  {
    name: "override-instructions",
    stems: [
      "ignor",
      "disregard",
      "forget",
      "overrid",
      "missacht",
      "vergiss",
      "oublie",
      "olvida",
      "dimentica",
      "negeer",
    ],
    pattern: words(
      String.raw`(?:ignor\p{L}{0,12}|disregard|forget|overrid\p{L}{0,12}|missacht\p{L}{0,12}|vergiss|oublie[zr]?|olvid[ae]|dimentica\p{L}{0,12}|negeer)~(?:previous|prior|above|earlier|preceding|system|your|all|any|vorherigen?|bisherigen?|alle|precedent\p{L}{0,12}|anterior\p{L}{0,12}|preced\p{L}{0,12}|vorige)~(?:instruction|direction|prompt|rule|guideline|context|anweisung|instruccion|istruzion|consigne|instructie)`,
    ),
  },
  {
    name: "new-role",
    stems: ["you are now", "act as", "pretend to be", "from now on", "du bist jetzt", "tu es maintenant", "ahora eres"],
    pattern:
      /you are now (?:a|an|the|in|my)\b|from now on,? you|(?:act as|pretend to be) (?:a|an|the|my)? ?(?:system|admin|root|developer|unrestricted|dan\b)|du bist jetzt|tu es maintenant|ahora eres/u,
  },
  {
    name: "system-voice",
    stems: [
      "system prompt",
      "system message",
      "new instructions",
      "system override",
      "developer mode",
      "<information>",
      "important message",
      "important instruction",
      "begin_instruction",
    ],
    pattern:
      /(?:reveal|print|repeat|show|output|leak).{0,40}system prompt|(?:system (?:message|override|note)|new instructions?|important (?:message|instructions?)(?: from| to| for)?)[^\n]{0,40}[:!]|developer mode|<information>|begin_instruction/u,
  },
  {
    name: "secrecy",
    stems: [
      "do not tell",
      "don't tell",
      "without telling",
      "do not mention",
      "don't mention",
      "do not inform",
      "without informing",
      "secretly",
    ],
    pattern:
      /(?:do not|don't|without) (?:tell|telling|mention|mentioning|inform|informing) (?:the |your |this to the |anyone|him|her|them)|secretly (?:send|forward|transfer|delete|add)/u,
  },
  {
    name: "order-to-assistant",
    stems: ["assistant", "ai agent", "language model", "chatbot", "llm"],
    pattern:
      /(?:dear|attention|hey|note to|instructions? (?:for|to)|message (?:for|to))[ ,:]+(?:the |any |all )?(?:ai|assistant|ai assistant|ai agent|language model|chatbot|llm)|(?:ai|assistant|agent|llm)[,:] (?:you must|please|immediately|now) |as an ai(?: assistant| agent)?,? you (?:must|should|will)/u,
  },
  {
    name: "call-to-tool",
    stems: ["tool", "function", "send_", "api key", "password", "forward", "exfiltrat"],
    pattern:
      /(?:call|invoke|use|run|execute) the [`'"]?[a-z_.-]+[`'"]? (?:tool|function)|(?:send|forward|post|upload|exfiltrat\p{L}{0,12}).{0,60}(?:api key|password|credential|secret|token|conversation|customer (?:list|data))/u,
  },
];

const encoded = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const readable = /^[\t\n\r -~]+$/;

/** Readable text of base64 runs, which some attacks hide in. */
function decodedRuns(text: string): string {
  let decoded = "";
  let count = 0;
  for (const [run] of text.matchAll(encoded)) {
    if ((count += 1) > 32) break;
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue;
    try {
      const plain = atob(
        run
          .replaceAll("-", "+")
          .replaceAll("_", "/")
          .replace(/=+$/, "")
          .slice(0, 8000 - (8000 % 4)),
      );
      if (readable.test(plain)) decoded += `\n${plain}`;
    } catch {
      // Not base64 after all.
    }
  }
  return decoded;
}

const stems = [...new Set(probes.flatMap((probe) => probe.stems))];
/** Built with the first text, so that a process that reads none does not pay for it. */
let automaton: StemAutomaton | undefined;

/**
 * Looks for text that speaks to the model. A finding raises the risk of a result; none lowers it.
 *
 * @param text - Any text.
 * @param encodedRuns - Whether the text has runs that may be base64; they are decoded and looked at too.
 * @returns Names of what was found, in a fixed order.
 */
export function detectInjection(text: string, encodedRuns: boolean): readonly string[] {
  const whole = encodedRuns ? text + decodedRuns(text) : text;
  automaton ??= stemAutomaton(stems);
  const hits = automaton.find(whole);
  if (hits.size === 0) return [];
  const folded = foldText(whole);
  const hit = new Set(Array.from(hits, (index) => stems[index]));
  return probes
    .filter((probe) => probe.stems.some((stem) => hit.has(stem)) && probe.pattern.test(folded))
    .map((probe) => probe.name);
}
