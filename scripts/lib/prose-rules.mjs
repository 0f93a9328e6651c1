// The constructions that the project's prose avoids, and what to write instead.

/**
 * @typedef {"comment" | "heading" | "title" | "message" | "text"} ProseKind
 *   a code comment, a heading of a page, a test title, a string that people read, or running text of a page
 *
 * @typedef {object} ProseRule
 * @property {string} name
 * @property {RegExp} pattern with the flag `g`
 * @property {string} instead
 * @property {readonly ProseKind[] | undefined} [kinds] the kinds that the rule looks at; all when left out
 */

/** Everything but strings, some of which are code. @type {readonly ProseKind[]} */
const prose = ["comment", "heading", "title", "text"];

/** @type {readonly ProseRule[]} */
export const proseRules = [
  {
    name: "opening",
    pattern: /^(?:What|Whose|Who|Where|Whether|Of|For|As|One that)\b/g,
    instead: "open with a noun or a verb: name the thing",
    kinds: ["comment", "heading"],
  },
  {
    name: "why",
    pattern: /^Why\b/g,
    instead: "open with a noun: `The reason why …`",
    kinds: ["comment"],
  },
  {
    name: "reader tool",
    pattern: /^An? reader of\b/g,
    instead: "write `A tool that reads …`: readers are the people who may see a value",
    kinds: ["comment", "title"],
  },
  {
    name: "gives leave",
    pattern: /\b(?:gives?|given|gave|giving) leave\b/gi,
    instead: "write `allows in advance`, or `grants`",
  },
  {
    name: "says to",
    pattern: /\bsay (?:it|this|that) to\b/gi,
    instead: "name the option to set",
  },
  { name: "nobody", pattern: /\bnobody\b/gi, instead: "name the subject: no process, no person, no user" },
  { name: "somebody", pattern: /\bsomebody\b/gi, instead: "name the subject: another process, a person, a user" },
  { name: "whoever", pattern: /\bwhoever\b/gi, instead: "name the subject: the caller, the reader, the owner" },
  {
    name: "is told",
    pattern: /\b(?:is|are|was|were|be|been|being) told\b/gi,
    instead: "use the exact verb: gets, is notified, receives",
  },
  {
    name: "is said",
    pattern: /\b(?:is|are|was|were|be|been|being) said\b/gi,
    instead: "use the exact verb: declared, configured, written, sent",
  },
  {
    name: "of its own",
    pattern: /\bof (?:its|their|his|her) own\b/gi,
    instead: "write `its own …`, or `a separate …`",
  },
  { name: "stands", pattern: /\b(?:stands?|stood)\b(?! for)/gi, instead: "write `is`" },
  {
    name: "goes on",
    pattern: /\b(?:goes|go|going|went|gone) (?:on|On)\b/g,
    instead: "write `continues`, or `resumes`",
  },
  {
    name: "takes up",
    pattern: /\b(?:takes?|taken|took|taking)(?: \w+){0,2} up\b/gi,
    instead: "write `resumes`, or `acquires`",
  },
  { name: "vouches", pattern: /\bvouch(?:es|ed|ing)?\b/gi, instead: "write `trusted`, `verified`, or `untrusted`" },
  {
    name: "house",
    pattern: /\b(?:rooms?|(?<!in-)houses?|(?<!grant[ -])thief|thieves)\b/gi,
    instead: "write folder, module, or attacker",
  },
  {
    name: "is no",
    pattern:
      /(?<!\b(?:there|it)\s+(?:still\s+)?)\b(?:is|are|was|were) no (?!longer|more|less|other|later|earlier|one\b|better|worse|shorter|use\b|doubt|need|way)[\w`]/gi,
    instead: "write `is not a …`",
  },
  {
    name: "that there is",
    pattern: /\bthat there (?:is|are)(?! (?:a|an|no|one)\b)/gi,
    instead: "name the thing: existing, known",
  },
  {
    name: "comes to rest",
    pattern: /\b(?:comes?|came|coming) to (?:an end|rest|nothing)\b/gi,
    instead: "write `ends`, `fails` or `is suspended`",
  },
  {
    name: "whichever",
    pattern: /\bwhichever\b/gi,
    instead: "write `any`, or name the one that is meant",
  },
  { name: "for ever", pattern: /\bfor ever\b/gi, instead: "write `forever`" },
  { name: "anew", pattern: /\banew\b(?!:)/g, instead: "write `again`, or a verb with `re-`", kinds: prose },
  { name: "all the same", pattern: /\ball the same\b/gi, instead: "write `still`, or `anyway`" },
  {
    name: "what becomes of",
    pattern: /\bwhat (?:becomes?|became) of\b/gi,
    instead: "write `the outcome of`, or `what happened to`",
  },
  { name: "in the place of", pattern: /\bin the place of\b/gi, instead: "write `in place of`, or `instead of`" },
  {
    name: "is not there",
    pattern: /\b(?:is|are|was|were) not there\b(?! yet)/gi,
    instead: "write `is missing`, or `does not exist`",
  },
  {
    name: "says nothing",
    pattern: /\bsay(?:s|ing)? nothing (?:of|about)\b/gi,
    instead: "write what is missing: declares nothing, does not cover",
  },
  {
    name: "whether it is",
    pattern: /(?<=@(?:returns|param [\w.]+ -) )Whether\b/g,
    instead: "write `True if …`",
    kinds: ["comment"],
  },
  { name: "at hand", pattern: /\bat hand\b/gi, instead: "write `available`, or `present`" },
];
