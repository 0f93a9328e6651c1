import { hashesOf } from "./hashes.test.helper.ts";
import { paying } from "./payments.test.helper.ts";

console.log(JSON.stringify(await hashesOf(paying(), [1, 2, 3, 4, 5, 6])));
