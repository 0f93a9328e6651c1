import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { CreateError, createProject } from "./create-project.ts";
import { templates, type Store, type Template } from "./templates.ts";

interface Options {
  readonly template?: string;
  readonly store?: Store;
  readonly packageManager?: string;
  readonly install: boolean;
  readonly yes?: boolean;
}

const packageManagers = ["npm", "pnpm", "yarn", "bun"] as const;

/** Runs the command line of this process. */
export async function start(): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  const program = new Command("create-bailiwick")
    .description("Create a project with an agent, its tests and a command line.")
    .argument("[folder]", "folder of the project")
    .addOption(new Option("--template <name>", "kind of project").choices(templates.map(({ name }) => name)))
    .addOption(
      new Option("--store <store>", "store of the worker template").choices(["sqlite", "postgres", "durable-object"]),
    )
    .addOption(
      new Option("--package-manager <name>", "default: the one that runs this command").choices(packageManagers),
    )
    .option("--no-install", "do not install the dependencies")
    .option("--yes", "ask nothing: the folder my-agent and the template chat, unless given")
    .version(version)
    .showHelpAfterError("Add --help for the options.")
    .exitOverride()
    .action((folder: string | undefined, options: Options) => create(folder, options, version));
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof CreateError) {
      console.error(error.message);
      process.exitCode = 1;
    } else throw error;
  }
}

async function create(folder: string | undefined, options: Options, version: string): Promise<void> {
  const asks = options.yes !== true && process.stdin.isTTY && process.stdout.isTTY;
  if (!asks && options.yes !== true && (folder === undefined || options.template === undefined))
    throw new CreateError(
      "Without a terminal, give the folder and --template, such as: npm create bailiwick@latest my-agent -- --template chat",
    );
  const path = folder ?? (asks ? await (await import("./ask.ts")).askFolder() : "my-agent");
  const name = options.template ?? (asks ? await (await import("./ask.ts")).askTemplate() : "chat");
  const template = templates.find((one) => one.name === name) as Template;
  const store = chosenStore(template, options.store);
  await createProject({ path, template, store, version });
  const packageManager = options.packageManager ?? callingPackageManager();
  const installed = options.install && install(packageManager, path);
  const steps = [
    `cd ${relative(process.cwd(), resolve(path)) || "."}`,
    ...(installed ? [] : [`${packageManager} install`]),
    "export OPENAI_API_KEY=…",
    `${packageManager} ${template.start}`,
  ];
  console.log(
    `Created ${resolve(path)} from the template ${template.name}. Next:\n\n${steps.map((step) => `  ${step}`).join("\n")}\n`,
  );
}

function chosenStore(template: Template, given: Store | undefined): Store | undefined {
  if (given !== undefined && !template.stores.includes(given))
    throw new CreateError(
      `The template ${template.name} has no store "${given}". It has ${template.stores.join(" and ")}.`,
    );
  return given ?? template.stores[0];
}

function install(packageManager: string, path: string): boolean {
  const { status } = spawnSync(packageManager, ["install"], {
    cwd: path,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) console.error(`"${packageManager} install" failed. Run it again in the project.`);
  return status === 0;
}

/** Package manager that runs this command, from its environment variable. */
function callingPackageManager(): string {
  const agent = process.env["npm_config_user_agent"] ?? "";
  return packageManagers.find((name) => agent.startsWith(name)) ?? "npm";
}
