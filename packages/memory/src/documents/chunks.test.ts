import { expect, test } from "vitest";
import { chunksOf, chunkTokens } from "./chunks.ts";

test("chunks have at most 400 tokens and lose no word, whatever the text [documents.chunks]", () => {
  const long = "Ein Satz mit Wörtern. ".repeat(300);
  const texts = {
    empty: "",
    "one long paragraph": long,
    "one long word": "x".repeat(9_000),
    Japanese: "京都の秋は美しい。".repeat(400),
    table: `| a | b |\n| --- | --- |\n${"| cell one | cell two |\n".repeat(300)}`,
    code: `\`\`\`ts\n${"const a = 1; // # not a heading\n".repeat(200)}\`\`\``,
    list: "- one thing\n".repeat(500),
    headings: "# A\n\n## B\n\n### C\n\nText.\n\n## D\n\nMore.",
    "front matter": "---\ntitle: x\n---\n# A\n\nText.",
    html: "<div>\n<p>Text</p>\n</div>\n".repeat(200),
    "Windows lines": "# A\r\n\r\nOne.\r\n\r\nTwo.\r\n",
  };
  for (const [what, text] of Object.entries(texts)) {
    const chunks = chunksOf(text);
    for (const { headings, text: part } of chunks)
      expect([what, Math.ceil(Buffer.byteLength(`${headings.join(" > ")}\n\n${part}`) / 4) <= chunkTokens + 2]).toEqual(
        [what, true],
      );
    const letters = (whole: string): string => whole.replaceAll(/^---[\s\S]*?---|^#+ .*$|\s/gmu, "");
    expect([what, letters(chunks.map((chunk) => chunk.text).join("")).length]).toEqual([
      what,
      letters(text.replaceAll("\r", "")).length,
    ]);
  }
  expect(chunksOf(texts.headings)).toEqual([
    { headings: ["A", "B", "C"], text: "Text." },
    { headings: ["A", "D"], text: "More." },
  ]);
});
