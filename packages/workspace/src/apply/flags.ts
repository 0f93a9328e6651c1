import type { ObjectStore } from "../tree/object-store.ts";
import { largestShown, shownPath, textOf, type Change } from "../tree/changes.ts";

/** A fact that a person should see before the diff. */
interface Flag {
  readonly text: string;
  readonly isSet: (change: Change, text: string, before: string) => boolean;
}

const name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const under = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`) || path.includes(`/${folder}/`));

const lockFiles: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "Cargo.lock",
  "poetry.lock",
  "uv.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "composer.lock",
  "go.sum",
  "flake.lock",
  "gradle.lockfile",
]);
const deployFiles =
  /^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|Dockerfile.*|Containerfile.*|docker-compose.*\.ya?ml|compose.*\.ya?ml|vercel\.json|netlify\.toml|fly\.toml|wrangler\.(?:toml|jsonc?)|Procfile|app\.ya?ml|serverless\.ya?ml|.*\.tf|CODEOWNERS|dependabot\.ya?ml|renovate\.json5?)$/iu;
const buildFiles =
  /^(?:Makefile|GNUmakefile|Justfile|Taskfile\.ya?ml|Rakefile|Gemfile|setup\.py|setup\.cfg|conftest\.py|noxfile\.py|tox\.ini|build\.rs|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pom\.xml|CMakeLists\.txt|configure|binding\.gyp|\.pre-commit-config\.ya?ml|lefthook\.ya?ml|.*\.config\.[cm]?[jt]s|gulpfile\.[cm]?js|Gruntfile\.[cm]?js|\.pnpmfile\.c?js|.*\.csproj|Directory\.Build\.(?:props|targets))$/iu;
const agentFiles =
  /^(?:AGENTS|CLAUDE|GEMINI|SKILL)(?:\.local)?\.md$|^skills\.lock\.json$|^\.(?:cursorrules|windsurfrules|clinerules|mcp\.json|aider.*)$|^(?:copilot-instructions|.*\.instructions)\.md$/iu;
const registrySettings =
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|pip\.conf|\.pypirc|nuget\.config|settings\.xml|pnpm-workspace\.yaml)$/iu;
const dependencyFiles =
  /^(?:package\.json|deno\.jsonc?|Cargo\.toml|pyproject\.toml|requirements.*\.txt|Pipfile|go\.mod|composer\.json|Gemfile|build\.gradle(?:\.kts)?|pom\.xml|.*\.csproj)$/iu;
const secretForms =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{40,}|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{35}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{36})\b|\b(?:password|passwd|secret|api[_-]?key|access[_-]?token)\b["']?\s*[:=]\s*["'][^"'\s]{12,}["']/iu;
/** Characters that are not seen, or that turn the order of others. */
const hidden = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}/u;

/** Scripts that a package manager or a build runs by itself. */
function scriptsOf(text: string): string {
  try {
    const { scripts, bin, type, imports, exports, main } = Object(JSON.parse(text)) as Readonly<
      Record<string, unknown>
    >;
    return JSON.stringify([scripts, bin, type, imports, exports, main]);
  } catch {
    return text;
  }
}

/** Dependencies of a manifest; for other forms of manifest, the whole text. */
function dependenciesOf(path: string, text: string): string {
  if (name(path) !== "package.json") return text;
  try {
    const manifest = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return JSON.stringify(
      Object.entries(manifest).filter(([key]) =>
        /dependencies|overrides|resolutions|packageManager|registry|publishConfig|workspaces|pnpm/iu.test(key),
      ),
    );
  } catch {
    return text;
  }
}

const flags: readonly Flag[] = [
  {
    text: "changes files of CI or deployment",
    isSet: ({ path }) =>
      under(
        path,
        ".github",
        ".circleci",
        ".gitea",
        ".forgejo",
        ".buildkite",
        ".woodpecker",
        "k8s",
        "helm",
        "deploy",
        "terraform",
      ) || deployFiles.test(name(path)),
  },
  {
    text: "changes settings of Git, or hooks",
    isSet: ({ path }) =>
      /^\.git(?:attributes|modules|ignore|config)$/iu.test(name(path)) ||
      under(path, ".git", ".githooks", ".husky", "hooks"),
  },
  {
    text: "changes instructions or settings for agents and editors",
    isSet: ({ path }) =>
      agentFiles.test(name(path)) ||
      under(
        path,
        ".cursor",
        ".vscode",
        ".idea",
        ".claude",
        ".codex",
        ".gemini",
        ".zed",
        ".windsurf",
        ".agents",
        "skills",
        ".devcontainer",
      ) ||
      /^\.(?:editorconfig|envrc|tool-versions)$|^mise\.toml$/iu.test(name(path)),
  },
  { text: "changes lock files of dependencies", isSet: ({ path }) => lockFiles.has(name(path)) },
  {
    text: "changes dependencies",
    isSet: ({ path }, text, before) =>
      dependencyFiles.test(name(path)) && dependenciesOf(path, text) !== dependenciesOf(path, before),
  },
  { text: "changes settings of package registries", isSet: ({ path }) => registrySettings.test(name(path)) },
  {
    text: "changes scripts that package managers or builds run",
    isSet: ({ path }, text, before) =>
      buildFiles.test(name(path)) || (name(path) === "package.json" && scriptsOf(text) !== scriptsOf(before)),
  },
  {
    text: "makes files executable",
    isSet: ({ before, after }) => after?.mode === "executable" && before?.mode !== "executable",
  },
  {
    text: "makes or changes symbolic links",
    isSet: ({ before, after }) => after?.mode === "link" || before?.mode === "link",
  },
  {
    text: "has hidden or bidirectional characters",
    isSet: ({ path }, text, before) =>
      hidden.test(path) || (hidden.test(withoutMark(text)) && addsHidden(text, before)),
  },
  { text: "has values that look like secrets", isSet: (_, text, before) => addsSecret(text, before) },
];

/** A byte order mark at the start is not a hidden character. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function addsHidden(text: string, before: string): boolean {
  const known = new Set(before.split("\n"));
  return withoutMark(text)
    .split("\n")
    .some((line) => hidden.test(line) && !known.has(line));
}

function addsSecret(text: string, before: string): boolean {
  const found = text.match(new RegExp(secretForms.source, "giu")) ?? [];
  return found.some((value) => !before.includes(value));
}

/** Number of paths that a sentence names. */
const mostNamed = 5;

/**
 * Facts about changes, as sentences for the card of a question.
 *
 * @param changes - The changes that would be written.
 * @param store - The contents.
 */
export function flagsOf(changes: readonly Change[], store: Pick<ObjectStore, "get">): readonly string[] {
  const read = (entry: Change["after"]): string | undefined =>
    entry === undefined || entry.size > largestShown ? undefined : textOf(store.get(entry.id));
  const texts = changes.map((change) => ({ change, after: read(change.after), before: read(change.before) }));
  const facts = flags.flatMap(({ text, isSet }) => {
    const paths = texts
      .filter(({ change, after, before }) => isSet(change, after ?? "", before ?? ""))
      .map(({ change }) => change.path);
    return paths.length === 0 ? [] : [sentence(text, paths)];
  });
  const large = texts.filter(({ change }) => (change.after?.size ?? 0) > largestShown).map(({ change }) => change.path);
  const binary = texts
    .filter(
      ({ change, after }) => change.after !== undefined && change.after.size <= largestShown && after === undefined,
    )
    .map(({ change }) => change.path);
  if (binary.length > 0) facts.push(sentence("has binary files", binary));
  if (large.length > 0) facts.push(sentence("has files over 1 MB, which are not shown", large));
  return facts;
}

function sentence(text: string, paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return `It ${text}: ${paths.slice(0, mostNamed).map(shownPath).join(", ")}${more}.`;
}
