import type { ContentPart, Message } from "@bailiwick/core";
import { compileHistory } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { target } from "./history.fixture.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const takesPng = target({
  input: { image: true, audio: false, file: true },
  media: { user: { types: ["image/png", "image/jpeg", "application/pdf"], urls: ["image/png"] } },
});

function compiled(part: ContentPart): { readonly part: ContentPart; readonly warned: readonly unknown[] } {
  const message: Message = { id: "u", role: "user", content: [part] };
  const { messages, warnings } = compileHistory([message], takesPng);
  const [made] = (messages[0]?.content ?? []) as readonly ContentPart[];
  return { part: made as ContentPart, warned: warnings.map(({ code, subject }) => [code, subject]) };
}

test("A media type that the target refuses becomes a text that names the file, with a warning [providers.rule.images.types]", () => {
  const refused: readonly (readonly [ContentPart, RegExp])[] = [
    [
      { type: "file", data: btoa("<svg xmlns=''/>"), mimeType: "image/svg+xml", filename: "a.svg" },
      /svg.*"a\.svg" omitted/,
    ],
    [{ type: "image", data: btoa("GIF89a....") }, /omitted/],
    [{ type: "image", data: btoa("BM\x08\x00\x00\x00\x00\x00\x00\x00") }, /omitted/],
    [{ type: "image", data: btoa("II*\x00....") }, /omitted/],
    [{ type: "image", data: btoa("\x00\x00\x00\x18ftypheic....") }, /omitted/],
    [{ type: "file", data: btoa("PK\x03\x04"), mimeType: "application/zip" }, /application\/zip/],
    [{ type: "file", data: "AAAA", mimeType: "video/mp4" }, /video\/mp4/],
    [{ type: "file", data: "", mimeType: "application/pdf" }, /it is empty/],
    [{ type: "image", url: "https://example.com/a.svg?x=1" }, /at https:\/\/example\.com\/a\.svg/],
  ];
  for (const [part, says] of refused) {
    const { part: made, warned } = compiled(part);
    expect([part, made]).toEqual([part, { type: "text", text: expect.stringMatching(says) as string }]);
    expect(warned).toHaveLength(1);
  }
});

test("An image is sent with the type of its bytes, whatever type was declared [providers.rule.images.types]", () => {
  const { part, warned } = compiled({ type: "image", data: png, mimeType: "image/jpeg" });
  expect(part).toEqual({ type: "image", data: png, mimeType: "image/png" });
  expect(warned).toEqual([]);
  const same = { type: "image", data: png, mimeType: "image/png" } as const;
  expect(compiled(same).part).toBe(same);
});

test("A text file is sent as text if the target does not accept such a file [providers.rule.images.types]", () => {
  const { part, warned } = compiled({ type: "file", data: btoa("a,b"), mimeType: "text/csv", filename: "a.csv" });
  expect(part).toEqual({ type: "text", text: 'File "a.csv" (text/csv):\na,b' });
  expect(warned).toEqual([]);
});
