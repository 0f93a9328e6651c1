import type { ModelCapabilities } from "@bailiwick/core";
import { apiError } from "@bailiwick/core/provider";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** The bytes of a PNG of this size. */
function png(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
}

const takes = (maxImageBytes: number | undefined): Partial<ModelCapabilities> => ({
  input: { image: true, audio: false, file: false },
  media: { user: { types: ["image/png"], maxImageBytes } },
});
const photo = (size: number) => [{ type: "image", data: png(size), mimeType: "image/png" }] as const;

test("an image that is larger than the model takes is refused before the request, and the next model may take it [providers.rule.large-media]", async () => {
  for (const [size, isSent] of [
    [3_000, true],
    [3_001, false],
    [9_000, false],
  ] as const) {
    const model = scriptedModel(["A photo."], { capabilities: takes(3_000) });
    const run = new Agent({ ...base, model }).run(photo(size));
    if (isSent) expect((await run).text).toBe("A photo.");
    else {
      expect(await failureOf(run)).toMatchObject({
        code: "MODEL_MEDIA_TOO_LARGE",
        retryable: false,
        message: expect.stringContaining("3000 bytes") as string,
      });
    }
    expect(model.requests).toHaveLength(isSent ? 1 : 0);
  }
  const model = scriptedModel(["Never."], { capabilities: takes(10) });
  const fallback = [scriptedModel(["A photo."], { capabilities: takes(undefined) })];
  expect((await new Agent({ ...base, model, fallback }).run(photo(9_000))).text).toBe("A photo.");
});

test("a text takes the place of a large image in an older message, so that the conversation continues [providers.rule.large-media.older]", async () => {
  const model = scriptedModel(["Never mind."], { capabilities: takes(3_000) });
  const output = await new Agent({ ...base, model }).run("And now?", {
    messages: [
      { role: "user", content: [...photo(9_000)] },
      { role: "assistant", content: "A photo." },
    ],
  });
  expect(output.text).toBe("Never mind.");
  expect(output.warnings.map(({ code }) => code)).toContain("media_omitted");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("9000 bytes");
});

test("a vendor's refusal of a large file has its own code, and is not an overflow [providers.rule.large-media.refused]", () => {
  const code = (message: string, status = 400) => apiError({ provider: "p", model: "m", status, message }).code;
  for (const message of [
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
    "The image is too large. Please send a smaller one.",
    "File too large: at most 50 MB.",
    "image_file_too_large",
  ])
    for (const status of [400, 413])
      expect([message, code(message, status)]).toEqual([message, "MODEL_MEDIA_TOO_LARGE"]);
  expect(code("Request Entity Too Large", 413)).toBe("CONTEXT_OVERFLOW");
  expect(code("The file exceeds the context window of 200000 tokens.")).not.toBe("MODEL_MEDIA_TOO_LARGE");
});
