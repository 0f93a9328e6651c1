import assert from "node:assert/strict";
import { add } from "./add.js";

assert.equal(add(1, 2), 3);
console.log("ok");
