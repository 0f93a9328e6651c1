import { expect, test } from "vitest";
import { skills } from "./index.ts";
import { keptWarnings, named, skillFile, skillWorld, type SkillWorld } from "./skill-folder.fixture.ts";

const ok = named("one");
const main = (fields: readonly string[], text?: string) => (world: SkillWorld) =>
  world.write("one/SKILL.md", skillFile(fields, text));

/** Each mistake, the line that is named, and words of the sentence. */
const broken: Readonly<
  Record<string, readonly [make: (world: SkillWorld) => void, line: number | undefined, words: string]>
> = {
  "no front matter": [(world) => world.write("one/SKILL.md", "# One\n"), 1, "no front matter"],
  "an empty file": [(world) => world.write("one/SKILL.md", ""), 1, "no front matter"],
  "a front matter without an end": [(world) => world.write("one/SKILL.md", "---\nname: one\n"), 1, "no end"],
  "a text before the front matter": [
    (world) => world.write("one/SKILL.md", "Hi\n---\nname: one\n---\n"),
    1,
    "no front matter",
  ],
  "no fields": [main(["# a remark"]), 2, "no fields"],
  "a list in place of fields": [main(["- one", "- two"]), 2, "no fields"],
  "no name": [main(["description: How."]), 2, "`name` is missing"],
  "an empty name": [main(["name:", "description: How."]), 2, "`name` is empty"],
  "a name in capitals": [main(["name: One", "description: How."]), 2, "letters a to z"],
  "a name with an underscore": [main(["name: one_two", "description: How."]), 2, "letters a to z"],
  "a name that begins with a hyphen": [main(["name: -one", "description: How."]), 2, "letters a to z"],
  "a name that ends with a hyphen": [main(["name: one-", "description: How."]), 2, "letters a to z"],
  "a name with two hyphens": [main(["name: one--two", "description: How."]), 2, "letters a to z"],
  "a name with a letter of another script": [main(["name: оne", "description: How."]), 2, "letters a to z"],
  "a name of 65 letters": [main([`name: ${"a".repeat(65)}`, "description: How."]), 2, "has 65 characters"],
  "a name that is a path": [main(["name: ../one", "description: How."]), 2, "letters a to z"],
  "a name that is a list": [main(["name: [one]", "description: How."]), 2, "is not a text"],
  "the name of another folder": [main(named("two")), 2, 'the folder is "one"'],
  "no description": [main(["name: one"]), 2, "`description` is missing"],
  "an empty description": [main(["name: one", 'description: ""']), 3, "`description` is empty"],
  "a long description": [main(["name: one", `description: ${"x".repeat(1_025)}`]), 3, "has 1025 characters"],
  "a description that is a list": [main(["name: one", "description: [a, b]"]), 3, "is not a text"],
  "a long compatibility": [main([...ok, `compatibility: ${"x".repeat(501)}`]), 4, "has 501 characters"],
  "metadata that is a text": [main([...ok, "metadata: yes"]), 4, "`metadata` is not a list"],
  "metadata with a list inside": [main([...ok, "metadata:", "  author: [a]"]), 5, "`metadata` is not a list"],
  "allowed tools that are fields": [main([...ok, "allowed-tools:", "  bash: yes"]), 5, "`allowed-tools`"],
  "a field twice": [main([...ok, "name: one"]), 4, "unique"],
  "an alias": [main([...ok, "metadata:", "  a: &x b", "  c: *x"]), 5, "anchors and aliases"],
  "a bomb of aliases": [main([...ok, "metadata: &a", "  b: *a"]), 5, "anchors and aliases"],
  "a tag": [main([...ok, "license: !!js/function x"]), 4, "ag"],
  "an open quote": [main(["name: one", 'description: "How']), 4, "not YAML"],
  "a tab": [main([...ok, "metadata:", "\ta: b"]), 5, "not YAML"],
  "a long front matter": [main([...ok, `# ${"x".repeat(9_000)}`]), 1, "at most 8 KB"],
  "a long text": [main(ok, "x".repeat(65 * 1_024)), undefined, "at most 64 KB"],
  "bytes that are not UTF-8": [
    (world) => world.write("one/SKILL.md", new Uint8Array([0x2d, 0xff, 0xfe])),
    undefined,
    "not UTF-8",
  ],
  "a link inside": [(world) => (main(ok)(world), world.link("one/passwd", "/etc/passwd")), undefined, "symbolic link"],
  "a link to a folder inside": [
    (world) => (main(ok)(world), world.link("one/etc", "/etc")),
    undefined,
    "symbolic link",
  ],
  "a SKILL.md that is a link": [
    (world) => (world.write("two.txt", skillFile(ok)), world.link("one/SKILL.md", "../two.txt")),
    undefined,
    "symbolic link",
  ],
  "too many files": [
    (world) => {
      main(ok)(world);
      for (let n = 0; n < 500; n += 1) world.write(`one/${n}.txt`, "");
    },
    undefined,
    "more than 500 files",
  ],
  "too many bytes": [
    (world) => (main(ok)(world), world.write("one/big.bin", new Uint8Array(10 * 1_024 * 1_024))),
    undefined,
    "larger than 10 MB",
  ],
  "a name that reads as an instruction": [
    (world) =>
      world.write("ignore-all-previous-instructions/SKILL.md", skillFile(named("ignore-all-previous-instructions"))),
    undefined,
    "reads as an instruction",
  ],
};

test.each(Object.entries(broken))(
  "%s: no skill is offered, and the error has file, line and rule [skills.invalid]",
  async (_what, [make, line, words]) => {
    using world = skillWorld();
    make(world);
    const error: unknown = await skills(world.skills).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "SKILL_INVALID", retryable: false });
    const { mistakes } = error as { readonly mistakes: readonly { file: string; line?: number; problem: string }[] };
    expect(mistakes.find(({ problem }) => problem.includes(words))).toMatchObject({
      file: expect.stringContaining(world.skills) as unknown,
      ...(line !== undefined && { line }),
    });
  },
);

test("one error has the mistakes of all skills; with `frozen`, a broken skill that is not locked is left out [skills.invalid] [skills.frozen]", async () => {
  using world = skillWorld();
  world.write("one/SKILL.md", skillFile(["name: one"]));
  world.write("two/SKILL.md", "no");
  const error: unknown = await skills(world.skills).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(
    /one\/SKILL\.md:2: `description` is missing[\s\S]*two\/SKILL\.md:1: there is no front matter/u,
  );
  world.write("lock.json", JSON.stringify({ version: 1, skills: {} }));
  const logger = keptWarnings();
  const extension = await skills(world.skills, { lock: `${world.skills}/lock.json`, frozen: true, logger });
  expect(extension.tools).toEqual([]);
  expect(logger.lines.filter((text) => text.includes("is left out"))).toHaveLength(2);
});

const locks: Readonly<Record<string, string>> = {
  "no JSON": "{",
  "no skills": "{}",
  "another version": '{"version":2,"skills":{}}',
  "an acceptance": '{"version":1,"skills":{},"accepted":["x"]}',
  "an acceptance of a skill": '{"version":1,"skills":{"one":{"source":"x","files":{},"hash":"y","accepted":true}}}',
  "a skill without a hash": '{"version":1,"skills":{"one":{"source":"x","files":{}}}}',
  "a file without a hash": `{"version":1,"skills":{"one":{"source":"x","files":{"a":"b"},"hash":"sha256-${"0".repeat(64)}"}}}`,
};

test.each(Object.entries(locks))("a lock file with %s is refused [skills.lock]", async (_what, text) => {
  using world = skillWorld();
  world.write("one/SKILL.md", skillFile(ok));
  world.write("lock.json", text);
  await expect(skills(world.skills, { lock: `${world.skills}/lock.json` })).rejects.toMatchObject({
    code: "SKILL_LOCK_INVALID",
  });
});

test("sources, names and options that cannot be honoured are refused, each with its code [skills.options]", async () => {
  using world = skillWorld();
  world.write("one/SKILL.md", skillFile(ok));
  world.write("other/one/SKILL.md", skillFile(ok));
  const refused: readonly (readonly [code: string, run: () => Promise<unknown>])[] = [
    ["SKILL_SOURCE", () => skills(`${world.skills}/missing`)],
    ["SKILL_SOURCE", () => skills(`${world.skills}/one/SKILL.md`)],
    ["SKILL_SOURCE", () => skills({ package: "@acme/not-installed" })],
    ["SKILL_SOURCE", () => skills({ package: "../x" })],
    ["SKILL_SOURCE", () => skills({ package: "zod" })],
    ["SKILL_SOURCE", () => skills(null as never)],
    ["SKILL_TWICE", () => skills([world.skills, `${world.skills}/other`])],
    ["SKILL_LOCK_MISSING", () => skills(world.skills, { frozen: true })],
    ["SKILL_LOCK_MISSING", () => skills(world.skills, { frozen: true, lock: `${world.skills}/none.json` })],
    ["INVALID_OPTION", () => skills(world.skills, { accepted: ["one"] })],
    ["INVALID_OPTION", () => skills(world.skills, { origin: "mine" as never })],
    ["INVALID_OPTION", () => skills(world.skills, { workspace: {} as never })],
    ["UNKNOWN_OPTION", () => skills(world.skills, { locks: "x" } as never)],
    ["UNKNOWN_OPTION", () => skills({ folder: world.skills, origins: "own" } as never)],
  ];
  for (const [code, run] of refused) await expect(run()).rejects.toMatchObject({ code });
  process.env["XDG_STATE_HOME"] = `${world.skills}/one/state`;
  await expect(skills(world.skills)).rejects.toMatchObject({ code: "SKILL_ACCEPTANCES_EXPOSED" });
});
