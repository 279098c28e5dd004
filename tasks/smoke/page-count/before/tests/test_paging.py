import unittest

from catalogue import NoSuchPage, paginate


class PagingTest(unittest.TestCase):
    def test_a_partly_filled_last_page(self):
        page = paginate(list(range(45)), number=3)
        self.assertEqual((40, 41, 42, 43, 44), page.items)
        self.assertEqual(3, page.pages)
        self.assertFalse(page.has_next)

    def test_a_full_last_page_is_the_last(self):
        page = paginate(list(range(40)), number=2)
        self.assertEqual(2, page.pages)
        self.assertFalse(page.has_next)
        self.assertEqual("21–40 of 40", page.describe())

    def test_there_is_no_page_after_a_full_one(self):
        with self.assertRaises(NoSuchPage):
            paginate(list(range(40)), number=3)

    def test_an_empty_list_has_one_page(self):
        page = paginate([])
        self.assertEqual((), page.items)
        self.assertEqual(1, page.pages)

    def test_page_zero_is_refused(self):
        with self.assertRaises(NoSuchPage):
            paginate([1, 2, 3], number=0)


if __name__ == "__main__":
    unittest.main()
