import { compileHistory, createHistoryCompiler } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { array, assert, constantFrom, property, record } from "fast-check";
import { expect, test } from "vitest";
import { answer, call, result, target, user } from "./history.fixture.ts";

test("compiling another turn does not recompile the earlier ones [providers.rule.pairing]", () => {
  let reads = 0;
  const counted = (message: Message): Message =>
    new Proxy(message, {
      get(object, key) {
        if (key === "content") reads += 1;
        return Reflect.get(object, key) as unknown;
      },
    });
  const compiler = createHistoryCompiler(target());
  const messages: Message[] = [];
  const perTurn: number[] = [];
  for (let turn = 0; turn < 50; turn += 1) {
    messages.push(
      counted(user(`turn ${turn}`)),
      counted(answer(`a${turn}`, [call(`c${turn}`)])),
      counted(result(`c${turn}`)),
    );
    const before = reads;
    expect(compiler.compile(messages).messages).toHaveLength(messages.length);
    perTurn.push(reads - before);
  }
  expect(new Set(perTurn.slice(1)).size).toBe(1);
});

test("compiled messages are returned as the same objects, for adapters that cache their forms [providers.rule.pairing]", () => {
  const compiler = createHistoryCompiler(target({}, { model: "two" }));
  const messages: Message[] = [user("hi"), answer("a", [call("c.1", { providerState: "x" })]), result("c.1")];
  const first = compiler.compile(messages).messages;
  messages.push(user("more"));
  const second = compiler.compile(messages).messages;
  expect(second.slice(0, 3).every((message, index) => message === first[index])).toBe(true);
});

test("a history that grows, shrinks or changes compiles like a new one [providers.proof.every-prefix]", () => {
  const event = record({
    kind: constantFrom("user", "system", "answer", "calls", "result", "twice"),
    id: constantFrom("c1", "c2", "call.3", "call:3"),
  });
  const toMessage = ({ kind, id }: { kind: string; id: string }, index: number): Message => {
    if (kind === "user") return user(`${index}`);
    if (kind === "system") return { id: `s${index}`, role: "system", content: "Mind." };
    if (kind === "answer") return answer(`a${index}`, [], { parts: [{ type: "text", text: "Hi" }] });
    if (kind === "calls") return answer(`a${index}`, [call(id), call("c2")]);
    return { ...result(id, `${index}`), id: `r${index}` };
  };
  assert(
    property(array(event, { maxLength: 30 }), array(event, { maxLength: 5 }), (events, others) => {
      const messages = events.map(toMessage);
      const compiler = createHistoryCompiler(target());
      const same = (given: readonly Message[]) =>
        expect(compiler.compile(given)).toEqual(compileHistory(given, target()));
      for (let end = 0; end <= messages.length; end += 1) same(messages.slice(0, end));
      same([...messages.slice(0, 3), ...others.map((one, index) => toMessage(one, index + 100))]);
      same(messages);
    }),
    { numRuns: 200 },
  );
});

test("for any gaps in a history, each call has one result and each result one call [field-bug:PB-orphan-history-05]", () => {
  const kinds = constantFrom("user", "system", "calls", "c1", "c2", "c3");
  assert(
    property(array(kinds, { maxLength: 40 }), (events) => {
      const messages = events.map((kind, index): Message => {
        if (kind === "user") return user(`${index}`);
        if (kind === "system") return { id: `s${index}`, role: "system", content: "Mind." };
        return kind === "calls"
          ? answer(`a${index}`, [call("c1"), call("c2"), call("c3")])
          : { ...result(kind), id: `r${index}` };
      });
      const open: string[] = [];
      const seen = new Set<string>();
      for (const message of compileHistory(messages, target()).messages) {
        if (message.role === "tool") {
          expect(open.shift()).toBe(message.toolCallId);
          continue;
        }
        expect(open).toEqual([]);
        if (message.role !== "assistant") continue;
        for (const { id } of message.toolCalls) {
          expect(seen.has(id)).toBe(false);
          seen.add(id);
          open.push(id);
        }
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
