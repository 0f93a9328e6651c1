import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@bailiwick/core/provider";
import { answeringFetch } from "@bailiwick/testing";
import { recordedFrames } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { differ, played, rows, type Failure, type Gist, type Row } from "./side-by-side.fixture.ts";

/** Values that are the model's own text or the caller's: a change in them is another answer. */
const values = new Set(["args", "input", "arguments", "partial_json", "annotations", "metadata"]);

type Change = (value: Record<string, unknown>, path: string) => void;

/** Applies a change to each object of an event, from the outside in; `path` contains the keys above it. */
function changeObjects(value: unknown, change: Change, path = ""): void {
  if (Array.isArray(value)) for (const entry of value) changeObjects(entry, change, `${path}[]`);
  if (!isJsonObject(value)) return;
  const keys = Object.keys(value).filter((key) => !values.has(key));
  change(value, path);
  for (const key of keys) changeObjects(value[key], change, `${path}.${key}`);
}

const changed = (chunks: string, change: Change): string =>
  chunks
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const event: unknown = JSON.parse(line);
      changeObjects(event, change);
      return JSON.stringify(event);
    })
    .join("\n");

const asked = (row: Row, by: "ours" | "theirs", chunks: string, splitAt: readonly number[] = []) => {
  const bytes = new TextEncoder().encode(recordedFrames({ wire: row.wire, chunks }).join(""));
  const offsets = splitAt.map((at) => at % bytes.length).toSorted((one, other) => one - other);
  const fetch = answeringFetch(bytes, { splitAt: offsets });
  return played(row[by]({ baseURL: () => "http://127.0.0.1:1", fetch }), true);
};

const failed = (answer: Gist | Failure): answer is Failure => "failed" in answer;

/** True if an answer has everything that the other one has. */
const holds = (answer: Gist | Failure, other: Gist): boolean =>
  !failed(answer) &&
  answer.text.includes(other.text) &&
  other.calls.every((call) => answer.calls.some(({ name, input }) => same([name, input], [call.name, call.input])));
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const root = inject("wireRecordings");
describe.each(rows)("$folder", (row) => {
  const folder = join(root, row.folder);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".chunks.txt")) : [];
  for (const file of files) {
    const chunks = readFileSync(join(folder, file), "utf8");

    test(`${file} reads the same for any split of its bytes and with unknown fields [providers.proof.changed-recordings]`, async () => {
      const before = await asked(row, "ours", chunks);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), fc.nat(6), async (splitAt, every) => {
          let count = 0;
          const added = changed(chunks, (value) => {
            if (count++ % (every + 1) === 0) value["field_of_tomorrow"] = { type: "text", text: "?", index: [null] };
          });
          expect(await asked(row, "ours", added, splitAt)).toEqual(before);
        }),
        { numRuns: 8 },
      );
    });

    // The adapter and the AI SDK read these recordings differently.
    if (differ[file] !== undefined) continue;
    test(`${file} without a field that the AI SDK does not need is read as far as the AI SDK reads it [providers.proof.changed-recordings]`, async () => {
      const fields = new Set<string>();
      changed(chunks, (value, path) => {
        for (const key of Object.keys(value)) fields.add(`${path}.${key}`);
      });
      const every = [...fields];
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...every), async (field) => {
          const without = changed(chunks, (value, path) => {
            for (const key of Object.keys(value)) if (`${path}.${key}` === field) delete value[key];
          });
          const [own, other] = [await asked(row, "ours", without), await asked(row, "theirs", without)];
          // An empty answer is an error here, but not in the package.
          if (failed(other) || (other.text === "" && other.calls.length === 0)) return;
          expect(holds(own, other), `without "${field}": ${JSON.stringify({ own, other })}`).toBe(true);
        }),
        { numRuns: 12 },
      );
    });
  }
});
