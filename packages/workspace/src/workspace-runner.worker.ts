// Runs in the sandbox of a workspace: reads, writes and commands, as lines of JSON on its standard streams.
import { serve } from "./inside/serve.ts";

serve();
