import { defaultHasher } from "@bailiwick/core/extension";
import { expect, test } from "vitest";

import { approvalSigner, sealer } from "@bailiwick/security";

const question = {
  kind: "approval",
  id: "i1",
  runId: "r1",
  agentName: "desk",
  agentPath: ["desk"],
  toolCallId: "c1",
  toolName: "refund",
  args: { amount: 5 },
  question: {
    title: "Refund?",
    reason: "The tool asks.",
    level: "normal",
    values: [],
    unusual: [],
    remember: [],
    developer: { rules: [], toolCallId: "c1", remedy: "" },
  },
  argsHash: "h1",
  definitionHash: "d1",
  requestedAt: 1,
  expiresAt: 2,
} as const;

test("a signature binds run, call, arguments, definition and expiry, and only the key's holder can create it", () => {
  const signer = approvalSigner(defaultHasher())("key");
  const token = signer.sign(question);
  expect(signer.verify(question, token)).toBe(true);
  expect(signer.verify({ ...question, question: { ...question.question, title: "worded otherwise" } }, token)).toBe(
    true,
  );
  for (const change of [
    { runId: "r2" },
    { toolCallId: "c2" },
    { argsHash: "h2" },
    { definitionHash: "d2" },
    { expiresAt: 3 },
    { id: "i2" },
    { toolName: "x" },
    { kind: "question" },
  ] as const) {
    expect(signer.verify({ ...question, ...change }, token), JSON.stringify(change)).toBe(false);
  }
  expect(approvalSigner(defaultHasher())("other").verify(question, token)).toBe(false);
  expect(signer.verify(question, "")).toBe(false);
});

test("a sealed value opens only with its key, and not after a change", async () => {
  const box = sealer("key");
  const sealed = await box.seal({ iban: "DE02" });
  expect(JSON.stringify(sealed)).not.toContain("DE02");
  expect(await box.open(sealed)).toEqual({ iban: "DE02" });
  await expect(sealer("other").open(sealed)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  // Each character of a whole group of four carries bits of the value; characters of the last group may not.
  for (let place = 0; place < sealed.$sealed.length - 4; place += 1) {
    const other = sealed.$sealed[place] === "A" ? "B" : "A";
    const changed = `${sealed.$sealed.slice(0, place)}${other}${sealed.$sealed.slice(place + 1)}`;
    await expect(box.open({ $sealed: changed })).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  }
});

test("the first of several keys encrypts, and values sealed with any of the keys can be read", async () => {
  const signer = approvalSigner(defaultHasher());
  const both = signer(["new", "old"]);
  expect(both.sign(question)).toBe(signer("new").sign(question));
  expect(both.verify(question, signer("old").sign(question))).toBe(true);
  expect(both.verify(question, signer("other").sign(question))).toBe(false);
  const box = sealer(["new", new TextEncoder().encode("old")]);
  expect(await sealer("new").open(await box.seal(1))).toBe(1);
  expect(await box.open(await sealer("old").seal(2))).toBe(2);
  await expect(box.open(await sealer("other").seal(3))).rejects.toMatchObject({ code: "SEAL_BROKEN" });
});

test("a missing key, or an empty one in a list, is refused", () => {
  for (const none of ["", new Uint8Array(), [], ["new", ""]]) {
    expect(() => sealer(none)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(() => approvalSigner(defaultHasher())(none)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  }
});

test("a value sealed for one place opens only there", async () => {
  const box = sealer("key");
  const sealed = await box.seal({ iban: "DE02" }, "run r1");
  expect(await box.open(sealed, "run r1")).toEqual({ iban: "DE02" });
  for (const place of ["run r2", "", undefined])
    await expect(box.open(sealed, place), String(place)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
  await expect(box.open(await box.seal(1), "run r1")).rejects.toMatchObject({ code: "SEAL_BROKEN" });
});
