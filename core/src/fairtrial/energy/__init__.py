"""
Counters to joules: all arithmetic on energy that fairtrial does.

A meter hands over raw readings; what is made of them is here, so that it is the same for every
meter and can be done again from the receipts. The way through is `ledger.EnergyLedger`: it samples
into one append-only log (`log`), and a figure is a query on that log (`account`).

All of it is pure but for `sampler` (a thread), `guard` (calls into plugins), `cpu`, `conditions`
and `lock` (they read the machine), and `receipts` (writes a file).
"""
