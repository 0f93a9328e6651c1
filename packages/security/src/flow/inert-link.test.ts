import * as fc from "fast-check";
import { expect, test } from "vitest";

import { cleanAnswer } from "./answer-guard.ts";
import { inertLink } from "./inert-link.ts";
import { defang } from "./r6-payload.ts";

test("the characters that make a link inert start no other construct [flow.r6] [flow.r8]", () => {
  for (const [link, expected] of [
    ["https://a.example/b", "https[:]//a[.]example/b"],
    ["a!.(b)", "a!\\[.]\\(b)"],
    ["a.[b].:c", "a[.]\\[b]\\[.]\\:c"],
    ["mailto:a@b.example", "mailto[:]a@b[.]example"],
    ["a:80/b:c", "a:80/b:c"],
    ["https://a", "https[:]/[/]a"],
    ["ftp://a.", "ftp[:]/[/]a[.]"],
    ["a/https:/b/data:c", "a/https[:]/b/data[:]c"],
    ["a:\\b", "a[:]\\b"],
  ] as const)
    expect(inertLink(link), link).toBe(expected);
});

const parts = fc.constantFrom(
  ..."! [ ] ( ) . : / // \\ < > @ ? # - _ * ` ~ & ; , a x www. https:// http: ftp:// mailto: javascript: data: //134744072/p (//134744072/p) evil.example evil.example/p ann@evil.example [.] [:] [/] ![ ]( ][ ]: <img <a <b> &#58; &sol; &colon;".split(
    " ",
  ),
  " ",
  "\n",
  "\n\n",
);

/** Targets of images and links of Markdown, as a simple viewer parses them. */
function targets(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/(?<!\\)\[(?:[^[\]\\]|\\.)*\]\((?:<([^<>\n]*)>|([^\s()<>]*))/gu),
    ([, inAngles, plain]) => inAngles ?? plain ?? "",
  );
}

/** To a host of the internet, by name or by number. */
const leavesThePage = /^(?:(?:https?|ftp):[/\\]*|[/\\]{2})(?:\d{3,}|(?:[\p{L}\p{N}-]+\.)+\p{L}{2})/iu;

test("for any model text, an inert construct has no target [flow.r6] [flow.r8]", () => {
  const sources = { userTexts: [], resultTexts: () => [] };
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 16 }), (pieces) => {
      const text = pieces.join("");
      const answer = cleanAnswer(text, {}, sources);
      const payload = defang(text, () => false);
      for (const inert of [answer, payload])
        for (const target of targets(inert)) expect(target, JSON.stringify([text, inert])).not.toMatch(leavesThePage);
      // A second pass also finds nothing more.
      expect(cleanAnswer(answer, {}, sources)).not.toMatch(/(?<!\\)!\[[^\]]*\]\((?!\))[^\s)]*\/\//u);
      expect(answer).not.toMatch(/(?:(?:https?|ftp):\/\/|www\.)[\p{L}\p{N}]/iu);
    }),
    { numRuns: 3000 },
  );
});
