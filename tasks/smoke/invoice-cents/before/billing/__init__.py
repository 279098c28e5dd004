"""Invoices in euros and cents."""
