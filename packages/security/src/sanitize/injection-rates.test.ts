import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { createSanitizer } from "@bailiwick/security";

import { honestSentences } from "./phrases/honest-sentences.fixture.ts";
import { hostileSentences } from "./phrases/hostile-sentences.fixture.ts";
import { concepts, injectionWords } from "./phrases/injection-words.ts";
import { phrasesOf } from "./phrases/phrases-of.ts";

const sanitizer = createSanitizer();
const page = readFileSync(new URL("../../../../docs/guides/security.md", import.meta.url), "utf8");

async function flagged(sentences: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of sentences) {
    const { findings } = await sanitizer.inbound(text, { policy: "detect-and-flag", toolName: "t", nonce: "n" });
    if (findings.length > 0) found.push(text);
  }
  return found;
}

test("the corpora have enough sentences, without duplicates", () => {
  for (const corpus of [honestSentences, hostileSentences]) {
    expect(new Set(corpus).size).toBe(corpus.length);
    expect(corpus.length).toBeGreaterThanOrEqual(120);
  }
});

test("no word of a list begins or ends with another one, which would be found first", () => {
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
  for (const concept of concepts.keys()) {
    const words = injectionWords.flatMap((script) => phrasesOf(script[concept] ?? ""));
    const covered = words.filter((word) =>
      words.some((other) => {
        if (other === word) return false;
        const before = word.at(-other.length - 1) ?? " ";
        return (
          word.startsWith(other) || (word.endsWith(other) && (!isSpaced.test(other) || !/[\p{L}\p{N}]/u.test(before)))
        );
      }),
    );
    expect(covered).toEqual([]);
  }
});

test("honest sentences with the words of an attack are rarely flagged, and the guide states the rate [sanitize.detect.rates]", async () => {
  const alarms = await flagged(honestSentences);
  expect(alarms).toEqual([]);
  expect(page).toContain(`${alarms.length} of ${honestSentences.length} honest sentences`);
});

test("instructions to a model, also polite ones, are found in many languages, and the guide states the rate [sanitize.detect.rates]", async () => {
  const found = await flagged(hostileSentences);
  expect(hostileSentences.filter((text) => !found.includes(text))).toEqual([]);
  expect(page).toContain(`${found.length} of ${hostileSentences.length} attacks`);
});

test("unrelated sentences of one page are not flagged when scanned together [sanitize.detect.rates]", async () => {
  const pages = honestSentences.map((text, index) => `${text}\n\n${honestSentences.at(index - 7) ?? ""}`);
  const alarms = await flagged(pages);
  expect(alarms.length / pages.length).toBeLessThanOrEqual(0.1);
});
