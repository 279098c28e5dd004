/** An amount in whole cents. */
export class Money {
  constructor(cents) {
    this.cents = cents;
  }

  equals(other) {
    return other instanceof Money && this.cents === other.cents;
  }
}
