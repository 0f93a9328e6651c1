// A server over stdio. Arguments: `exit` ends at once, `dies` ends in mid-call, `silent` never answers.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { trackerServer } from "./tracker.fixture.ts";

serveStdio(() => trackerServer());
