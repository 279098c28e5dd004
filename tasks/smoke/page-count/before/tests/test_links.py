import unittest

from catalogue import page_links, paginate


class LinksTest(unittest.TestCase):
    def test_gaps_on_both_sides(self):
        page = paginate(list(range(395)), number=7)
        self.assertEqual([1, "…", 5, 6, 7, 8, 9, "…", 20], page_links(page))

    def test_a_single_page(self):
        self.assertEqual([1], page_links(paginate([1, 2, 3])))

    def test_no_gap_between_neighbours(self):
        page = paginate(list(range(55)), number=2)
        self.assertEqual([1, 2, 3], page_links(page))


if __name__ == "__main__":
    unittest.main()
