import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusals } from "./index.ts";

/**
 * Rules of the specification that repair a request, each with the refusals that an unrepaired request gets. A rule
 * about answers, failures or the runner has none.
 */
const repairs: Readonly<Record<string, readonly string[]>> = {
  provenance: ["responses.encrypted-content-invalid", "anthropic.thinking-signature-invalid"],
  "provenance.same": ["anthropic.thinking-modified", "google.thought-signature-missing", "responses.namespace-missing"],
  "provenance.other": [
    "responses.encrypted-content-invalid",
    "anthropic.thinking-signature-invalid",
    "google.thought-signature-invalid",
  ],
  "unreadable-state": ["responses.encrypted-content-invalid", "anthropic.thinking-signature-invalid"],
  "tool-call-ids": ["anthropic.call-id-invalid", "anthropic.call-id-duplicate"],
  "tool-call-ids.hash-suffix": ["mistral.call-id-invalid", "chat.call-id-too-long", "responses.call-id-too-long"],
  "tool-names": ["chat.tool-name-invalid", "responses.call-name-invalid", "anthropic.tool-name-invalid"],
  pairing: ["chat.calls-without-tool-messages", "responses.call-without-output", "google.response-count"],
  "pairing.missing": ["anthropic.call-without-result", "responses.call-without-output"],
  "pairing.orphan": ["anthropic.result-without-call", "chat.tool-message-without-call", "google.response-out-of-turn"],
  "pairing.system-between": ["chat.calls-without-tool-messages", "anthropic.call-without-result"],
  "argument-text": ["servers.arguments-not-object", "ollama.arguments-not-object"],
  images: ["chat.tool-image", "anthropic.media-empty", "google.media-empty"],
  "images.types": [
    "chat.image-type",
    "chat.file-type",
    "chat.audio-format",
    "responses.image-type",
    "responses.file-type",
    "anthropic.media-type",
    "anthropic.media-type-differs",
    "google.media-type",
    "ollama.image-not-base64",
    "servers.image-unsupported",
    "xai.image-type",
    "lmstudio.image-type",
    "gemini.image-type",
  ],
  "images.tool-results": ["chat.tool-image"],
  "images.download": ["servers.image-address", "ollama.image-not-base64", "chat.file-type"],
  strings: ["anthropic.text-ill-formed"],
  "strings.escaped": ["anthropic.text-ill-formed"],
  "strings.names": ["chat.name-invalid"],
  "structured-output": [
    "deepseek.output-schema",
    "groq.output-schema",
    "google.json-mode-with-functions",
    "chat.output-schema-invalid",
  ],
  "strict-schemas": ["responses.tool-schema-invalid", "anthropic.strict-schema-invalid"],
  "tool-schemas": [
    "chat.tool-schema-invalid",
    "responses.tool-schema-invalid",
    "anthropic.tool-schema-invalid",
    "google.tool-schema-invalid",
    "ollama.tool-schema-mistyped",
  ],
  caching: ["anthropic.cache-breakpoints-too-many", "anthropic.cache-breakpoint-order"],
  "caching.shared-prefix": ["anthropic.cache-breakpoints-too-many"],
  warnings: ["chat.sampling-on-reasoning-model", "anthropic.sampling-unsupported", "responses.parameter-unknown"],
};

/** Rules about answers, failures, usage and the runner, by their first word, and parts of a rule that repairs. */
const others = [
  /^(unfinished-turns|stream-end|retry|fallback|overflow|abort|usage|unknown-events|errors|per-request-key|raw-tap|zero-values|empty-answer|large-media|unknown-content)/,
  /^argument-text\.(final|invalid)$/,
  /^images\.download\./,
  /^strings\.multi-byte$/,
  /^structured-output\./,
  /^strict-schemas\./,
  // Evidence for the rule above.
  /^tool-schemas\./,
];

const page = readFileSync(new URL("../../../../docs/spec/providers.md", import.meta.url), "utf8");
const rules = [...page.matchAll(/\[providers\.rule\.([a-z.-]+)\]/g)].map(([, name = ""]) => name);

test("each rule of the specification that repairs requests has a refusal in the model server", () => {
  expect(rules.length).toBeGreaterThan(40);
  const unknown = rules.filter((name) => repairs[name] === undefined && !others.some((form) => form.test(name)));
  expect(unknown).toEqual([]);
  expect(Object.keys(repairs).filter((name) => !rules.includes(name))).toEqual([]);
});

test("each refusal that answers a repair exists, and names a page", () => {
  const known = new Map(refusals.map((refusal) => [refusal.id, refusal.source]));
  for (const id of Object.values(repairs).flat())
    expect([id, known.get(id)]).toEqual([id, expect.stringMatching(/^https:/)]);
});
