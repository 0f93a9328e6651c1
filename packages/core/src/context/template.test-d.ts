import { expectTypeOf, test } from "vitest";
import { template } from "./template.ts";
import type { TemplateDependencies, TemplateValue } from "./template.ts";

test("the dependencies of a template follow from its text [feature:X122]", () => {
  type Needed = TemplateDependencies<"{{shop.name}} and {{ seats }}, {{shop.open}}">;
  expectTypeOf<Needed["shop"]["name"]>().toEqualTypeOf<TemplateValue>();
  expectTypeOf<Needed["seats"]>().toEqualTypeOf<TemplateValue>();
  expectTypeOf<Needed["shop"]["open"]>().toEqualTypeOf<TemplateValue>();
  expectTypeOf<TemplateDependencies<"Be brief.">>().toBeUnknown();
  expectTypeOf<TemplateDependencies<string>>().toBeUnknown();
  const fill = template("{{seats}}");
  fill({ dependencies: { seats: 4 } });
  // @ts-expect-error what the text names is missing
  fill({ dependencies: { seat: 4 } });
  // @ts-expect-error an object is not a value
  fill({ dependencies: { seats: {} } });
});
