import pytest
from fairtrial.conformance import SuiteConformance
from fairtrial_suite_folder import FolderSuite


class TestFolder(SuiteConformance):
    entry_point = "folder"

    @pytest.fixture
    def suite(self, folder, cache) -> FolderSuite:
        folder.clock()
        return FolderSuite(path=folder.root, cache=cache)

    @pytest.fixture
    def plugin(self, suite) -> FolderSuite:
        return suite
