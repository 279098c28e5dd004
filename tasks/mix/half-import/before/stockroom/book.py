"""Articles and their quantities."""

from stockroom.errors import StockError


class Book:
    """A stock: {article number: {"name": …, "quantity": …}}."""

    def __init__(self, articles=None):
        self.articles = articles or {}

    def add(self, number, name):
        """Adds an article, with none of it there."""
        if number in self.articles:
            raise StockError(f"article “{number}” is there already")
        self.articles[number] = {"name": name, "quantity": 0}

    def change(self, number, quantity):
        """Books a delivery, or with a negative quantity a removal."""
        article = self.articles.get(number)
        if article is None:
            raise StockError(f"there is no article “{number}”")
        if article["quantity"] + quantity < 0:
            raise StockError(f"only {article['quantity']} of “{number}” are there")
        article["quantity"] += quantity

    def lines(self):
        """One line for each article, by number."""
        for number, article in sorted(self.articles.items()):
            yield f"{number:<10}{article['quantity']:>6}  {article['name']}"
