import { runChecks } from "../lib/run-checks.mjs";

runChecks(import.meta.url);
