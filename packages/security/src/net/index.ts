/**
 * Guarded network access: requests to addresses that others name, paths inside a folder, and the checks that sandboxes
 * and protocol packages share.
 *
 * @module net
 */
export { downloadFile } from "./download-file.ts";
export { EgressDeniedError } from "./egress-denied.ts";
export { guardedFetch } from "./guarded-fetch.ts";
export type { GuardedFetchOptions } from "./guarded-fetch-options.ts";
export { hostEntryProblem, hostIsListed } from "./host-list.ts";
export { nodeModule } from "./node-module.ts";
export { isPublicAddress } from "./public-address.ts";
export { checkNamedAddress, publicFetch } from "./public-fetch.ts";
export { PathEscapeError, safePath } from "./safe-path.ts";
export { egressFetch } from "../secrets/egress-fetch.ts";
export type { EgressSecret } from "../secrets/egress-fetch.ts";
export { fetchOver } from "../secrets/fetch-over.ts";
