"""What the shop sees: the till and its receipts."""
