import assert from "node:assert/strict";
import test from "node:test";

import { party } from "./src/fares.js";

test("other parties", () => {
  assert.equal(party(["child", "child", "adult"]), 900);
  assert.equal(party(["adult", "adult"]), 900);
});
