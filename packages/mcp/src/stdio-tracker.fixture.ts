// A server over stdio. With a file as argument it writes down its process id, one line for each start.
import { appendFileSync } from "node:fs";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { trackerServer } from "./tracker.fixture.ts";

const [, , file] = process.argv;
if (file !== undefined) appendFileSync(file, `${process.pid}\n`);
serveStdio(() => trackerServer());
