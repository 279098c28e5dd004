import assert from "node:assert/strict";
import test from "node:test";

import { party, single, thereAndBack } from "../src/fares.js";

test("a child pays half", () => {
  assert.equal(single("child") * 2, single("adult"));
});

test("there and back is cheaper than twice", () => {
  assert.equal(thereAndBack("adult"), 810);
});

test("one is a party too", () => {
  assert.equal(party(["adult"]), 450);
});

test("nobody else travels", () => {
  assert.throws(() => single("dog"), RangeError);
});
