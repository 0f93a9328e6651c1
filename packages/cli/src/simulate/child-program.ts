/**
 * The program of a child process that plays simulations. It is text, because it loads `@bailiwick/testing` from the
 * user's project: the command itself does not depend on it. The first argument is the task as JSON, and the answer goes
 * to the parent process.
 */
export const childProgram: string = `
const { pathToFileURL } = await import("node:url");
const { readFile } = await import("node:fs/promises");
const { testing, file, saved, operation, options } = JSON.parse(process.argv[1]);
const answer = (message) => new Promise((resolve) => process.send(message, resolve));
try {
  const simulations = await import(testing);
  const loaded = await import(pathToFileURL(file).href);
  const main = loaded.default?.__esModule ? loaded.default.default : loaded.default;
  const known = JSON.parse(await readFile(saved, "utf8").catch(() => "[]"));
  const more = operation === "simulate" && known.length > 0 ? { known } : {};
  await answer({ result: await simulations[operation](main, { ...more, ...options }) });
} catch (error) {
  await answer({ error: { code: error?.code ?? "UNEXPECTED", message: error?.message ?? String(error), stack: error?.stack } });
}
process.exit();
`;
