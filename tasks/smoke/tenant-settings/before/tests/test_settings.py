import unittest

from tenancy import Settings


class SettingsTest(unittest.TestCase):
    def test_own_settings_lie_on_top(self):
        acme = Settings("acme", {"language": "de", "mail": {"sender": "hi@acme.example"}})
        self.assertEqual("de", acme.get("language"))
        self.assertEqual("hi@acme.example", acme.get("mail.sender"))
        self.assertEqual(3, acme.get("mail.retry.times"))

    def test_a_sender_stays_with_its_tenant(self):
        acme = Settings("acme")
        acme.set("mail.sender", "hi@acme.example")
        birch = Settings("birch")
        self.assertEqual("noreply@example.org", birch.get("mail.sender"))
        self.assertEqual({"mail": {"sender": "hi@acme.example"}}, acme.changed())

    def test_a_webhook_stays_with_its_tenant(self):
        acme = Settings("acme")
        acme.append("webhooks", "https://acme.example/hook")
        self.assertEqual([], Settings("birch").get("webhooks"))
        self.assertEqual(["https://acme.example/hook"], acme.get("webhooks"))

    def test_an_unknown_setting(self):
        with self.assertRaises(KeyError):
            Settings("acme").get("mail.reply_to")


if __name__ == "__main__":
    unittest.main()
