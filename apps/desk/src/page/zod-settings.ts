import { config } from "zod";

// The content security policy forbids compiled code: without this setting, the first schema tries it and the browser
// reports an error. The page imports this module first, because schemas are made as modules load.
config({ jitless: true });
