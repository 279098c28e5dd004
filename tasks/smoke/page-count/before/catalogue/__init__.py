"""Product lists, one page at a time."""

from catalogue.links import page_links
from catalogue.paging import NoSuchPage, Page, paginate

__all__ = ["NoSuchPage", "Page", "page_links", "paginate"]
