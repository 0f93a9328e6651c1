import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { Agent, template } from "../../src/index.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function open(text: string) {
  const model = scriptedModel(() => "Good day.");
  const agent = new Agent({
    name: "desk",
    model,
    instructions: template<string>(text),
    dependencies: { shop: { name: "Harbour Books", open: true }, seats: 4 },
    logger: quiet,
  });
  const said = (): unknown => model.requests.at(-1)?.messages[0]?.content;
  return { agent, said };
}

test("placeholders in instructions are filled from the dependencies of the agent and of the run [feature:X122]", async () => {
  const { agent, said } = open("You work for {{shop.name}} ({{ shop.open }}, {{seats}} seats). {Not a name.}");
  await agent.run("Hello.");
  expect(said()).toBe("You work for Harbour Books (true, 4 seats). {Not a name.}");
  await agent.run("Hello.", { dependencies: { seats: 9 } });
  expect(said()).toBe("You work for Harbour Books (true, 9 seats). {Not a name.}");
});

test.each([
  ["{{shop.nam}}", 'Did you mean "name"'],
  ["{{toString}}", 'finds no "toString"'],
  ["{{shop.name.length}}", 'finds no "length"'],
  ["{{shop}}", '"shop" is object'],
])("a missing value fails the run before the model is called: %s", async (text, words) => {
  const { agent, said } = open(text);
  await expect(agent.run("Hello.")).rejects.toThrow(words);
  expect(said()).toBeUndefined();
});

test.each(["{{", "{{ }}", "{{a b}}", "}} {{a}}", "{{a.}}", "{{{a}}}}"])(
  "braces that contain no valid name are refused: %s",
  (text) => {
    expect(() => template(text)).toThrow(expect.objectContaining({ code: "INVALID_TEMPLATE" }));
  },
);

test("an inserted value is not expanded again", () => {
  expect(template("{{a}}")({ dependencies: { a: "{{b}} $& $1" } })).toBe("{{b}} $& $1");
});
