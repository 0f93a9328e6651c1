import * as fc from "fast-check";
import { marked } from "marked";
import MarkdownIt from "markdown-it";
import { parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { expect, test } from "vitest";

import { cleanAnswer, createAnswerFilter } from "../answer-guard.ts";
import { defang } from "../r6-payload.ts";

/** Texts of users and tools whose links an answer may contain. */
const sources = {
  userTexts: ["My site https://mine.example/a ."],
  resultTexts: () => ["See https://read.example/x?y=1 and"],
};
const mayStay = ["https://mine.example/a", "https://read.example/x?y=1"];

const page = new MarkdownIt({ html: true });
const linkedPage = new MarkdownIt({ html: true, linkify: true, typographer: true });
// Words with a dot are ordinary text in an answer; links in link syntax are found.
linkedPage.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** The kinds of viewers that may show an answer or a payload. */
const viewers: Readonly<Record<string, (text: string) => string>> = {
  "markdown-it": (text) => page.render(text),
  "markdown-it that finds links": (text) => linkedPage.render(text),
  marked: (text) => marked.parse(text, { gfm: true, async: false }),
  "marked as in the first Markdown": (text) => marked.parse(text, { pedantic: true, gfm: false, async: false }),
  "a browser": (text) => text,
};

/** An attribute of a page that fetches, runs or links; an element that does so has no `name`. */
interface Active {
  readonly tag: string;
  readonly name?: string;
  readonly value?: string;
}

const elements = new Set(["script", "style", "iframe", "object", "embed", "link", "meta", "base", "form", "frame"]);
const attributes = /^(?:on.*|src|srcset|href|xlink:href|data|poster|action|formaction|background|ping|style)$/u;

/** Elements of a page, as a browser parses them. */
function activeOf(html: string): readonly Active[] {
  const found: Active[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("tagName" in node) {
      if (elements.has(node.tagName)) found.push({ tag: node.tagName });
      for (const { name, value } of node.attrs)
        if (attributes.test(name) && !isAlignment(name, value)) found.push({ tag: node.tagName, name, value });
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
    if ("content" in node) visit(node.content);
  };
  visit(parseFragment(html));
  return found;
}

/** Text of a table cell. */
function isAlignment(name: string, value: string): boolean {
  return name === "style" && /^text-align:(?:left|right|center)$/u.test(value);
}

/** True if a link stays on its page, or a browser does not treat it as a link. */
function staysHere(url: string): boolean {
  const base = "https://page.example/at/";
  return !URL.canParse(url, base) || new URL(url, base).origin === "https://page.example";
}

/** A link that may be in an answer; some viewers include the punctuation after it. */
function isSources(url: string): boolean {
  return mayStay.some(
    (link) => url.startsWith(link) && /^(?:%(?:22|3E|5D|60)|[.,;:!?*_~)'])*$/u.test(url.slice(link.length)),
  );
}

/** Rendering fetches nothing, and no link leads to an address that the model chose. */
function isInertAnswer({ tag, name, value = "" }: Active): boolean {
  if (tag !== "a" || name !== "href") return false;
  // A bare address and a bare host are text that a viewer made clickable.
  return staysHere(value) || isSources(value) || /^mailto:[^?]*$/u.test(value) || /^\/\/[^/?#\\]*$/u.test(value);
}

function isInertPayload({ name, value = "" }: Active): boolean {
  return (name === "href" || name === "src") && (staysHere(value) || /^mailto:[^?]*$/u.test(value));
}

const pieces = fc.constantFrom(
  ..."![ [ ] ( ) < > ! \\ ` `` > # | a img svg src= href= //evil.example/p //134744072/p /\\134744072/p (//134744072/p) https://a mailto:a@b.example // https:/134744072/p https:134744072 ftp://x [.] [:] [/] . . https://evil.example/p https://mine.example/a https: / \\/ www.evil.example //_a.evil.example/p //evil%2eexample/p //evil.md/p www._a.evil.example/p www.evil.md/p evil.example x : \" ' & &#58; &colon; &sol; &#x2f; &lt; &Tab; &NewLine; javascript: data:text/html,x mailto: vscode: x-app: tel: [1] [^1] <!-- --> <![CDATA[ ]]> <? ?> * _ ** $ $$ style <style </style <script </script> onerror=x = { } ^ ~ %2f ftp://evil.example //mine.example@evil.example HTTPS://EVIL.example".split(
    " ",
  ),
  ..."\n|\n\n| |  |\t|    |> |- |1. |# |---\n|```\n|~~~\n|img |a |svg |[1]: |[^1]: |<!x |\u{a0}|\u{200b}|\u{0}|\r|\f|\v|\u{2028}|h\u{200b}ttps://evil.example/p|//evil\u{3002}example/p|//ev\u{ad}il.example/p".split(
    "|",
  ),
);

test("for any model text, real viewers of Markdown and HTML fetch, run and link to allowed addresses only [flow.r6] [flow.r8] [flow.r8.links] [flow.r8.streams]", () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 2, maxLength: 14 }), fc.nat(), (parts, at) => {
      const text = parts.join("");
      const answer = cleanAnswer(text, {}, sources);
      const payload = defang(text, () => false);
      for (const [viewer, render] of Object.entries(viewers)) {
        const inAnswer = activeOf(render(answer)).filter((active) => !isInertAnswer(active));
        expect(inAnswer, `${viewer} shows the answer ${JSON.stringify(answer)}`).toEqual([]);
        const inPayload = activeOf(render(payload)).filter((active) => !isInertPayload(active));
        expect(inPayload, `${viewer} shows the payload ${JSON.stringify(payload)}`).toEqual([]);
      }
      const cut = at % (text.length + 1);
      const stream = createAnswerFilter({}, sources);
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(answer);
    }),
    { numRuns: 1500 },
  );
});
