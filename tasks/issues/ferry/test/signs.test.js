import assert from "node:assert/strict";
import test from "node:test";

import { deck } from "../src/signs.js";

test("a deck has its number", () => {
  assert.equal(deck(2), "Deck 2");
});
