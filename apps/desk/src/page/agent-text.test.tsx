import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AgentText } from "./agent-text.tsx";

const draw = (text: string): string => renderToStaticMarkup(<AgentText text={text} />);

test("an agent's Markdown is drawn with tables and lists", () => {
  const html = draw("It is **done**:\n\n| order | state |\n| --- | --- |\n| FH-1 | sent |\n\n- one\n- two");
  for (const part of ["<strong>done</strong>", "<td>FH-1</td>", "<li>one</li>"]) expect(html).toContain(part);
});

test("HTML in an agent's text stays text", () => {
  const html = draw("<img src=x onerror=run()>\n\n<script>run()</script>\n\nSee <b onclick=run()>this</b>.");
  expect(html).not.toMatch(/<(?:img|script|b)\b/);
  expect(html).toContain("&lt;script&gt;run()&lt;/script&gt;");
});

test("a link names the host that it leads to, and an image is a link", () => {
  const html = draw("[your bank](https://phish.example/login) ![pixel](https://track.example/p.png)");
  expect(html).toContain('<a href="https://phish.example/login" target="_blank" rel="noreferrer">your bank</a>');
  expect(html).toContain("(phish.example)");
  expect(html).toContain('>pixel</a><span class="small"> (track.example)</span>');
  expect(html).not.toContain("<img");
});

test.each(["javascript:run()", "data:text/html,x", "vbscript:x"])("a link to %s has no target", (address) => {
  expect(draw(`[press](${address})`)).not.toContain("<a");
});
