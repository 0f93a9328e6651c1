import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedServer } from "@bailiwick/testing/model-server";
import { describe, expect, inject, test } from "vitest";
import { differ, played, rows } from "./side-by-side.fixture.ts";

const root = inject("wireRecordings");
describe.each(rows)("$folder", ({ folder, wire, ours, theirs }) => {
  const path = join(root, folder);
  const files = existsSync(path) ? readdirSync(path).filter((file) => /\.(chunks\.txt|json)$/.test(file)) : [];
  for (const file of files) {
    test(`${file} reads the same through the adapter and through the AI SDK [providers.ai-sdk.side-by-side]`, async () => {
      const text = readFileSync(join(path, file), "utf8");
      const streamed = file.endsWith(".chunks.txt");
      const status = file.includes("429") ? 429 : 200;
      const recording = { wire, status, ...(streamed ? { chunks: text } : { json: text }) };
      await using server = await recordedServer(recording);
      const served = { baseURL: (vendor: Parameters<typeof server.baseURL>[0]) => server.baseURL(vendor), fetch };
      const own = await played(ours(served), streamed);
      const other = await played(theirs(served), streamed);
      // Remove a difference from the list once it no longer exists.
      if (differ[file] === undefined) expect(other).toEqual(own);
      else expect(other, differ[file]).not.toEqual(own);
    });
  }
});
