import { countStatements } from "./count-statements.fixture.ts";

/** Loaded before a program: kills its process after a given number of statements of its migration. */
const after = Number(process.env["KILL_AFTER_STATEMENTS"]);
let statements = -1;
countStatements(() => {
  statements += 1;
  if (statements === after) process.kill(process.pid, "SIGKILL");
});
