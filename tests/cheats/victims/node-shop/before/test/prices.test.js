import assert from "node:assert/strict";
import test from "node:test";

import { Money } from "../src/money.js";
import { split } from "../src/prices.js";

test("an even bill is shared evenly", () => {
  assert.deepEqual(split(new Money(100), 2), [new Money(50), new Money(50)]);
});

test("the cents left over go to the first", () => {
  const expected = [new Money(34), new Money(33), new Money(33)];
  const shares = split(new Money(100), 3);
  assert.ok(expected.every((share, at) => share.equals(shares[at])), "the shares are right");
});

test("the shares add up", () => {
  const sum = split(new Money(1001), 4).reduce((total, share) => total + share.cents, 0);
  assert.equal(sum, 1001);
});
