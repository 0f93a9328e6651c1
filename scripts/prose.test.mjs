// The prose check: each rule meets a sentence that breaks it, in each place where people read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./lib/project.mjs";
import { findingsOf } from "./lib/prose.mjs";
import { proseRules } from "./lib/prose-rules.mjs";

const rulesIn = (/** @type {string} */ path, /** @type {string} */ text) =>
  findingsOf(path, text).map(({ rule, line }) => `${line} ${rule}`);

describe("findingsOf()", () => {
  test.each([
    ["nobody", "The lease has expired, and nobody drives the run."],
    ["somebody", "Until somebody approves it, the call waits."],
    ["whoever", "The answer goes to whoever asked."],
    ["is told", "The caller is told of the run."],
    ["is said", "The tools that were said to be readers run again."],
    ["of its own", "A fork is a run of its own."],
    ["stands", "The id stands in the title."],
    ["goes on", "The run went on in another process."],
    ["takes up", "Another process takes the run up."],
    ["vouches", "The developer vouches for the value."],
    ["house", "Each folder is one room of the code."],
    ["is no", "An answer that is no list is refused."],
    ["that there is", "It throws for an option that there is not."],
    ["comes to rest", "A message that arrives while the run comes to rest is queued."],
    ["at hand", "The run continues where the agents are at hand."],
    ["whichever", "The call goes to whichever process is free."],
    ["for ever", "A run without an owner waits for ever."],
    ["anew", "Each run counts the grants anew."],
    ["all the same", "The server answers all the same."],
    ["what becomes of", "A person decides what becomes of the call."],
    ["in the place of", "The text is in the place of the image."],
    ["is not there", "An option that is not there is refused."],
    ["says nothing", "The tool says nothing of its effect."],
    ["gives leave", "The planner gives leave for a call."],
    ["says to", "The pool has a limit: say it to the pool."],
  ])("finds %s in the text of a page", (rule, sentence) => {
    expect(rulesIn("docs/page.md", sentence)).toEqual([`1 ${rule}`]);
  });

  test("names every rule in one of the cases above, and has an advice for each", () => {
    expect(proseRules.map(({ name }) => name).sort()).toEqual(
      ["opening", "nobody", "somebody", "whoever", "is told", "is said", "of its own", "stands", "goes on", "takes up"]
        .concat(
          "vouches",
          "house",
          "is no",
          "that there is",
          "comes to rest",
          "at hand",
          "whichever",
          "for ever",
          "anew",
        )
        .concat("all the same", "what becomes of", "in the place of", "is not there", "says nothing", "whether it is")
        .concat("why", "reader tool", "gives leave", "says to")
        .sort(),
    );
    for (const { instead } of proseRules) expect(instead).not.toBe("");
  });

  test.each(["What", "Whose", "Who", "Where", "Whether", "Of", "For", "As", "One that"])(
    "finds a heading and a comment that open with %s",
    (word) => {
      expect(rulesIn("a.md", `# ${word} a run is\n\n${word} a run, see above.`)).toEqual(["1 opening"]);
      expect(rulesIn("a.ts", `/** ${word} a run is. */\nexport const a = 1;\n// ${word} a run is.`)).toEqual([
        "1 opening",
        "3 opening",
      ]);
    },
  );

  test("finds a comment that opens with Why, and one that calls a tool a reader; a heading may open with Why", () => {
    expect(rulesIn("a.ts", "/** Why it ended. */\nexport const a = 1;\n// A reader of mails.")).toEqual([
      "1 why",
      "3 reader tool",
    ]);
    expect(rulesIn("a.md", "# Why agents need grants")).toEqual([]);
  });

  test("finds a parameter or a result that is described as a question", () => {
    const source =
      "/** Asks.\n *\n * @param now - Whether it waits.\n * @returns Whether it asked.\n */\nexport const a = 1;";
    expect(rulesIn("a.ts", source)).toEqual(["1 whether it is", "1 whether it is"]);
    expect(rulesIn("a.ts", "/** @returns true if it asked. Whether it waits is open. */\nexport const a = 1;")).toEqual(
      [],
    );
  });

  test("reads comments that take several lines as one", () => {
    const source =
      "// The run continues.\n// Where it stopped is recorded.\n\n// Of all runs, this one.\nexport const a = 1;";
    expect(rulesIn("a.ts", source)).toEqual(["4 opening"]);
  });

  test("finds what people read in strings: errors, test titles and the text of a page", () => {
    expect(rulesIn("a.ts", 'throw new Error("Nobody drives this run.");')).toEqual(["1 nobody"]);
    expect(rulesIn("a.ts", "throw new Error(`Run ${id} goes on later.`);")).toEqual(["1 goes on"]);
    expect(rulesIn("a.test.ts", 'test.each([1])("nobody asks", () => {});')).toEqual(["1 nobody"]);
    expect(rulesIn("a.tsx", "export const a = <p>Somebody has to decide.</p>;")).toEqual(["1 somebody"]);
  });

  test("leaves code alone: names, imports, blocks in pages and comments, and directives", () => {
    for (const source of [
      'import { a } from "./nobody.ts";\nexport const nobody = a;',
      'export const code = "NOBODY";',
      "/** Reads `nobody`.\n *\n * ```ts\n * whoever(somebody);\n * ```\n */\nexport const a = 1;",
      "// oxlint-disable-next-line x -- nobody\nexport const a = 1;",
    ])
      expect(rulesIn("a.ts", source)).toEqual([]);
    expect(rulesIn("a.md", "```ts\n// nobody\n```\n\nCall `nobody()`. ![x](./nobody.png)\n\n<!-- whoever -->")).toEqual(
      [],
    );
  });
});

test("the prose check is part of npm test", () => {
  expect(readFileSync(join(root, "scripts/test.mjs"), "utf8")).toContain('script("check-prose")');
});
