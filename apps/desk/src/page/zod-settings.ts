import { config } from "zod";

// The content security policy forbids compiled code: without this, the first schema tries it and the browser complains.
// It is a module that the page imports first, since schemas are made as modules load.
config({ jitless: true });
