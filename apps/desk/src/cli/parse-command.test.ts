import { expect, test } from "vitest";
import { parseCommand } from "./parse-command.ts";

test.each([
  [["list"], { name: "list", json: false }],
  [["runs", "--json"], { name: "runs", json: true }],
  [["handle", "m-003", "--json"], { name: "handle", mailId: "m-003", json: true }],
  [["approve", "run-1"], { name: "approve", runId: "run-1", callId: undefined, json: false }],
  [["approve", "run-1", "call-2"], { name: "approve", runId: "run-1", callId: "call-2", json: false }],
  [["answer", "run-1", '{"answer":"no"}'], { name: "answer", runId: "run-1", value: { answer: "no" }, json: false }],
  [["--help"], { name: "help" }],
])("%j is understood", (args, command) => {
  expect(parseCommand(args)).toEqual(command);
});

test.each([
  [[], /No command given/],
  [["fly"], /no command fly/],
  [["handle"], /needs a mail id/],
  [["handle", "m-1", "m-2"], /m-2 too/],
  [["approve"], /needs a run id/],
  [["answer", "run-1"], /needs a run id and the answer/],
  [["answer", "run-1", "{no"], /not JSON: {no/],
  [["answer", "run-1", "1", "2"], /one JSON value/],
  [["list", "--jsno"], /--jsno/],
  [["list", "x"], /takes no arguments/],
])("%j is refused in one line", (args, message) => {
  expect(() => parseCommand(args)).toThrow(message);
  expect(() => parseCommand(args)).toThrow(/^[^\n]*desk --help$/);
});
