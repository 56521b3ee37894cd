"""Pages that were changed by hand: each fault is found. `python3 -m unittest discover scripts`."""

import json
import pathlib
import re
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from documents import measured, named
from documents.markdown import ROOT, Document

README = (ROOT / "README.md").read_text()
SEARCH = "docs/results/search.md"


def found(name, text):
    return " ".join(measured.of_page(name, text))


class ChangedByHand(unittest.TestCase):
    def test_pages_as_they_are_have_no_fault(self):
        self.assertEqual(found("README.md", README), "")
        self.assertEqual(found(SEARCH, (ROOT / SEARCH).read_text()), "")

    def test_wrong_figures(self):
        for kind in [r"\+\d+\.\d ± [\d.]+", r"\d+ ± \d+ Elo", r"\d+ of 111", r"0\.\d+ ± 0\.\d+", r"\d\.\d+ times native"]:
            right = re.search(kind, README)
            self.assertTrue(right, kind)
            wrong = right[0].translate(str.maketrans("123456789", "234567891"))
            self.assertIn(wrong.split(" ±")[0].split(" ")[0], found("README.md", README.replace(right[0], wrong, 1)), kind)
        text = (ROOT / SEARCH).read_text()
        self.assertIn("+126.0", found(SEARCH, text.replace("**+116.0 ± 23.7**", "**+126.0 ± 23.7**")))

    def test_a_file_that_is_not_there(self):
        self.assertIn("no such file", found("README.md", README.replace("native-15-clock.json", "native-16-clock.json")))
        self.assertIn("is not in", found("README.md", README.replace("native-15-clock.json", "native-19-clock.json")))
        page = Document("README.md")
        page.prose = ["see `no_such.rs`"]
        self.assertIn("no such source file", " ".join(named.faults([page])))

    def test_a_search_or_network_of_another_day(self):
        now = measured.results_page.today()
        for changed, mark in [({"bench": 1}, "measured with an earlier search"), ({"network": "0123456789"}, "measured with v10")]:
            with mock.patch.object(measured.results_page, "today", lambda changed=changed: now | changed):
                self.assertIn(mark, found("README.md", README))
                self.assertIn("does not say", found("nets/default.md", (ROOT / "nets/default.md").read_text()))

    def test_another_bench_of_the_program(self):
        with mock.patch.object(measured, "bench", lambda depth: 1), mock.patch.object(measured, "WRITTEN", []):
            self.assertIn("`alfiere bench 8` is 1", " ".join(measured.faults([], False)))

    def test_a_page_that_a_script_writes(self):
        page = ROOT / "docs/results/strength.md"
        with mock.patch.object(measured.results_page, "CHECKS", True), self.assertRaisesRegex(SystemExit, r"strength.md:\d+: not what its results say"):
            measured.results_page.write(page, page.read_text().replace("+17.4", "+27.4"))

    def test_elo_of_pairs(self):
        for path in (ROOT / "docs/results/strength").glob("*.json"):
            match = json.loads(path.read_text())["match"]
            if match["error_95"] and sum(match["pentanomial"]) > 10:
                self.assertEqual(measured.figure(match["pentanomial"]), measured.shown(match["elo"], match["error_95"]))


if __name__ == "__main__":
    unittest.main()
