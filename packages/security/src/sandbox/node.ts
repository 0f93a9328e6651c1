import type * as ChildProcess from "node:child_process";
import type * as Crypto from "node:crypto";
import type * as Dns from "node:dns/promises";
import type * as Datagrams from "node:dgram";
import type * as FileSystem from "node:fs";
import type * as Http from "node:http";
import type * as Net from "node:net";
import type * as Os from "node:os";
import type * as Path from "node:path";
import type * as Streams from "node:stream";
import type * as Url from "node:url";

import { nodeModule } from "../net/index.ts";

const what = "A sandbox of the operating system";

export const childProcess: typeof ChildProcess = nodeModule("node:child_process", what);
export const crypto: typeof Crypto = nodeModule("node:crypto", what);
export const dns: typeof Dns = nodeModule("node:dns/promises", what);
export const dgram: typeof Datagrams = nodeModule("node:dgram", what);
export const fs: typeof FileSystem = nodeModule("node:fs", what);
export const http: typeof Http = nodeModule("node:http", what);
export const net: typeof Net = nodeModule("node:net", what);
export const os: typeof Os = nodeModule("node:os", what);
export const path: typeof Path = nodeModule("node:path", what);
export const stream: typeof Streams = nodeModule("node:stream", what);
export const url: typeof Url = nodeModule("node:url", what);
