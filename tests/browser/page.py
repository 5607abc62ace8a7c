"""The topology report in a browser. tests/all/browser.rs runs this; `make setup-test` has Chromium and Playwright installed.

ANYRANK is the command under test, and the working directory is the root of the project."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

# Elements at one number of processes that browsers lay out without a pause.
MOST_ELEMENTS = 6000


def chromium():
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    mac = ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return next(path for path in [*found, *mac] if path and os.path.exists(path))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.playwright = sync_playwright().start()
        # In a container Chromium runs as root, where it refuses to make a sandbox of its own.
        cls.browser = cls.playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        cls.reports = {}

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.directory.cleanup()

    def setUp(self):
        self.problems = []

    def tearDown(self):
        self.assertEqual(self.problems, [], "the console stays empty, and nothing is fetched")

    def report(self, *arguments):
        """Writes the report of these arguments once; its address."""
        if arguments not in self.reports:
            file = pathlib.Path(self.directory.name) / f"report{len(self.reports)}.html"
            run = subprocess.run(
                [os.environ["ANYRANK"], "topology", "--quiet", *arguments, "--format", "html", "-o", file], timeout=120
            )
            self.assertIn(run.returncode, (0, 1))
            self.reports[arguments] = file.as_uri()
        return self.reports[arguments]

    def open(self, *arguments, **context):
        address = self.report(*arguments)
        page = self.browser.new_page(viewport={"width": 1200, "height": 900}, **context)
        self.addCleanup(page.close)
        page.on("console", lambda message: self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: request.url == address or self.problems.append(request.url))
        page.goto(address)
        return page

    def slide_to(self, page, np):
        """With the keyboard, as the slider is moved without a mouse."""
        slider = page.get_by_role("slider", name="Processes")
        slider.focus()
        page.keyboard.press("Home")
        while slider.get_attribute("aria-valuetext") != f"np = {np}":
            before = slider.input_value()
            page.keyboard.press("ArrowRight")
            self.assertNotEqual(slider.input_value(), before, f"np = {np} is on the slider")

    def test_the_slider_chooses_the_number_of_processes(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        output = page.locator(".controls output")
        self.assertEqual(output.text_content(), "np = 8: 21 messages, 168 bytes")
        self.slide_to(page, 2)
        self.assertEqual(output.text_content(), "np = 2: 3 messages, 24 bytes")
        self.assertEqual(page.locator(".ranks .number, .ranks circle").count(), 2)
        self.slide_to(page, 1000)
        self.assertEqual(output.text_content(), "np = 1000: 2997 messages, 23976 bytes")

    def test_a_number_of_processes_can_be_typed(self):
        page = self.open("corpus/ring.c")
        exact, output = page.get_by_label("or exactly"), page.locator(".controls output")
        for np in [37, 1000, 1, 64]:
            exact.fill(str(np))
            exact.press("Enter")
            self.assertTrue(output.text_content().startswith(f"np = {np}: {np} message"))
            self.assertEqual(page.get_by_role("slider").get_attribute("aria-valuetext"), f"np = {np}")
            self.assertEqual(page.locator(".near").text_content(), "")
        # What the page has not is said, and what is shown instead.
        exact.fill("990")
        exact.press("Enter")
        self.assertTrue(output.text_content().startswith("np = 1000:"))
        self.assertIn("np = 990 is not on this page, np = 1000 is the nearest", page.locator(".near").text_content())
        self.assertEqual(exact.input_value(), "1000")
        exact.fill("")
        exact.press("Enter")
        self.assertEqual(exact.input_value(), "1000")

    def test_arrows_of_many_ranks_can_be_clicked_too(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        self.slide_to(page, 1000)
        self.assertEqual(page.locator(".ranks .edge").count(), 2 * 999)
        edge = page.locator('.ranks .edge[data-from="0"][data-to="250"]')
        # To the right of the hub, as a quarter of the way around is.
        box = edge.bounding_box()
        self.assertGreater(box["width"], 5 * box["height"])
        edge.dispatch_event("click")
        self.assertIn("Rank 0 to rank 250 at np = 1000", page.locator(".detail").text_content())

    def program(self, name, text):
        """Writes a program; its path."""
        file = pathlib.Path(self.directory.name) / name
        file.write_text(text, encoding="utf-8")
        return str(file)

    def test_odd_names_and_texts_do_no_harm(self):
        ring = pathlib.Path("corpus/ring.c").read_text(encoding="utf-8")
        ring = ring.replace("#include <mpi.h>", '#include <mpi.h> /* </script><script>alert(1)</script> <!-- " \' & \u202e \u05e9 */', 1)
        # A division slash looks like the one that no name can have.
        for name in [
            "<\u2215script><script>alert(1)<\u2215script>.c", "a b&\"'`%41#?.c", "\u05e9\u05dc\u05d5\u05dd.c", "\u202eevil.c", "line\nfeed.c",
            "x" * 200 + ".c", "\U0001d11e\u65e5\u672c.c",
        ]:
            with self.subTest(name=name):
                page = self.open(self.program(name, ring), "--np", "2,8")
                shown = name.translate({0x202E: "\ufffd", 0x0A: "\ufffd"})
                self.assertIn(shown, page.locator("h1").text_content())
                self.assertIn(shown, page.title())
                self.assertIn("</script><script>alert(1)</script>", page.locator(".listing").text_content())
                self.assertNotIn("\u202e", page.locator("body").text_content())
                page.set_viewport_size({"width": 400, "height": 800})
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 400)
                page.get_by_role("button", name="Show messages").click()
                self.assertIn("Rank 0 to rank 0", page.locator(".detail").text_content())

    def test_messages_between_files_say_which(self):
        directory = pathlib.Path(self.directory.name) / "several"
        directory.mkdir()
        main = '#include <mpi.h>\nvoid other(int);\nint main(int argc, char **argv)\n{\n    int rank, x = 0;\n    MPI_Init(&argc, &argv);\n' \
            '    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    if (rank == 0)\n        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);\n' \
            '    other(rank);\n    MPI_Finalize();\n    return 0;\n}\n'
        # The receive is in the line that has the send in the other file.
        other = '#include <mpi.h>\n\n\n\nvoid other(int rank)\n{\n    int y;\n    if (rank == 1)\n' \
            '        MPI_Recv(&y, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Barrier(MPI_COMM_WORLD);\n}\n'
        (directory / "main.c").write_text(main)
        (directory / "other.c").write_text(other)
        page = self.open(str(directory), "--np", "4")
        page.get_by_label("to rank").fill("1")
        page.keyboard.press("Enter")
        detail = page.locator(".detail")
        self.assertIn("line 9 to", detail.text_content())
        self.assertIn("other.c:9", detail.locator("h5").text_content())
        for call, side in zip(["MPI_Send(", "MPI_Recv("], detail.locator(".excerpt .marked").all(), strict=True):
            self.assertIn(call, side.text_content())
        page.get_by_text("All messages in words").click()
        self.assertIn("other.c:9", page.locator(".list li").text_content())
        self.assertIn("other.c:10", page.locator(".instance svg").last.text_content())

    def test_programs_of_no_and_of_many_channels(self):
        head = "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    int rank, x = 0;\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        tail = "    MPI_Finalize();\n    return 0;\n}\n"
        page = self.open(self.program("none.c", head + tail), "--np", "1,8")
        self.assertIn("No point-to-point messages.", page.locator("main").text_content())
        self.assertFalse(page.get_by_text("All messages in words").is_visible())
        pairs = "".join(
            f"    if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, {tag}, MPI_COMM_WORLD);\n"
            f"    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
            for tag in range(60)
        )
        page = self.open(self.program("sixty.c", head + pairs + tail), "--np", "8")
        self.assertEqual(page.locator("article.channel").count(), 60)
        page.locator("svg a .channel .hit").last.click()
        self.assertTrue(page.url.endswith("-c60"))
        self.assertTrue(page.locator(".channel:target").is_visible())

    def test_tab_goes_through_the_page_in_reading_order(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        stops = []
        for _ in range(60):
            page.keyboard.press("Tab")
            stop = page.evaluate("""() => {
                const at = document.activeElement;
                const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
                return [at.matches("body"), Math.round(at.getBoundingClientRect().top + scrollY), name.trim(), at.matches(":focus-visible")];
            }""")
            if stop[0]:
                break
            stops.append(stop)
        self.assertEqual(stops[0][2], "Skip to the programs")
        tops = [top for _, top, _, _ in stops[1:]]
        # Those in one row may differ by some pixels.
        self.assertTrue(all(a <= b + 60 for a, b in zip(tops, tops[1:])), stops)
        self.assertTrue(all(visible for *_, visible in stops), "what has the focus is outlined")
        names = " ".join(name for _, _, name, _ in stops)
        for name in ["Process sets and channels", "Processes", "or exactly", "Matrix of messages", "From rank", "Show messages"]:
            self.assertIn(name, names)

    def test_a_thousand_ranks_are_few_elements(self):
        page = self.open("corpus/halo_periodic.c", "corpus/fig1_mdcask.c", "--np", "1000")
        for program in page.locator(".instance").all():
            self.assertGreater(program.locator(".ranks .edge").count(), 900)
            self.assertLess(program.locator("*").count(), MOST_ELEMENTS)

    def test_a_click_on_a_cell_shows_both_lines(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        frame = page.locator(".matrix[data-measure=messages] .frame")
        frame.scroll_into_view_if_needed()

        def click(sender, receiver):
            box = frame.bounding_box()
            side = box["width"] / 8
            page.mouse.click(box["x"] + (receiver + 0.5) * side, box["y"] + (sender + 0.5) * side)

        click(0, 3)
        detail = page.locator(".detail")
        self.assertIn("Rank 0 to rank 3 at np = 8", detail.text_content())
        left, right = [side.bounding_box() for side in detail.locator(".excerpt").all()]
        self.assertLess(left["x"] + left["width"], right["x"] + 1)
        self.assertAlmostEqual(left["y"], right["y"], delta=1)
        for call, side in zip(["MPI_Send(", "MPI_Recv("], detail.locator(".excerpt .marked").all()):
            self.assertIn(call, side.text_content())
        # A cell without messages says so.
        frame.scroll_into_view_if_needed()
        click(4, 3)
        self.assertIn("Rank 4 to rank 3 at np = 8: nothing is sent", detail.text_content())

    def test_a_click_on_an_arrow_shows_both_lines(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        edge = page.locator('.ranks .edge[data-from="5"][data-to="0"]')
        edge.locator(".hit").click()
        self.assertIn("Rank 5 to rank 0", page.locator(".detail").text_content())
        self.assertEqual(page.locator(".detail .sides").count(), 2, "two calls send to rank 0")
        self.assertIn("chosen", edge.get_attribute("class"))
        page.locator("svg a .channel .hit").first.click()
        self.assertTrue(page.url.endswith("-c1"))
        self.assertEqual(page.locator(".channel:target .excerpt").count(), 2)

    def test_keys_do_what_a_mouse_does(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        page.locator(".matrix[data-measure=messages] .board").focus()
        for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "Enter"]:
            page.keyboard.press(key)
        self.assertIn("Rank 2 to rank 0", page.locator(".detail").text_content())
        page.get_by_label("From rank").fill("0")
        page.get_by_label("to rank").fill("6")
        page.keyboard.press("Enter")
        self.assertIn("Rank 0 to rank 6", page.locator(".detail").text_content())
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Show messages")

    def test_all_messages_are_in_words(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        page.get_by_text("All messages in words").click()
        lines = page.locator(".list li").all_text_contents()
        self.assertEqual(len(lines), 3)
        self.assertTrue(lines[0].startswith("7 pairs: ranks 0 to 1, 0 to 2, …, 0 to 7, line 44 to line 53: 1 MPI_DOUBLE (8 bytes)"))

    def test_the_measure_is_chosen(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        self.assertFalse(page.locator(".matrix[data-measure=bytes]").is_visible())
        page.get_by_label("bytes", exact=True).check()
        self.assertTrue(page.locator(".matrix[data-measure=bytes]").is_visible())
        self.assertFalse(page.locator(".matrix[data-measure=messages]").is_visible())

    def test_ranks_lie_as_their_messages_do(self):
        page = self.open("corpus/ring.c", "corpus/mesh_halo.c", "corpus/heap_broadcast.c", "corpus/fig1_mdcask.c", "--np", "16")
        ranks = {}
        for section in page.locator(".program").all():
            circles = section.locator(".ranks circle.box").all()
            name = section.locator("h2").text_content().removeprefix("corpus/").removesuffix(".c")
            boxes = [circle.bounding_box() for circle in circles]
            ranks[name] = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
            self.assertEqual(len(circles), 16)
        distance = lambda a, b: ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
        ring = ranks["ring"]
        steps = [distance(ring[rank], ring[(rank + 1) % 16]) for rank in range(16)]
        self.assertLess(max(steps) - min(steps), 2, "neighbours on a ring are equally far from each other")
        mesh = ranks["mesh_halo"]
        for rank, (x, y) in enumerate(mesh):
            self.assertAlmostEqual(x, mesh[rank % 4][0], delta=1)
            self.assertAlmostEqual(y, mesh[rank // 4 * 4][1], delta=1)
        heap = ranks["heap_broadcast"]
        for rank in range(1, 16):
            self.assertGreater(heap[rank][1], heap[(rank - 1) // 2][1], "children are below their parent")
        star = ranks["fig1_mdcask"]
        rays = [distance(star[0], star[rank]) for rank in range(1, 16)]
        self.assertLess(max(rays) - min(rays), 2, "all are equally far from the hub")

    def test_findings_stand_where_they_belong(self):
        page = self.open("corpus/deadlock_ring.c")
        link = page.locator(".finding a").first
        line = page.locator(link.get_attribute("href"))
        link.click()
        self.assertTrue(line.is_visible())
        self.assertIn("MPI_Recv", line.text_content())
        self.assertIn("deadlock", line.locator("xpath=following-sibling::*[1]").text_content())

    def test_collectives_are_on_a_timeline(self):
        page = self.open("corpus/collective_early_exit.c", "corpus/cart_sub.c", "--np", "4")
        self.assertGreater(page.locator("svg .span").count(), 0)

    def test_the_layout_holds_on_paper_and_small_screens(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000")
        # Beside each other where there is room, and nothing over the edge.
        matrix, ranks = page.locator(".matrix").first.bounding_box(), page.locator(".ranks").bounding_box()
        self.assertLess(matrix["x"] + matrix["width"], ranks["x"] + 1)
        for width in [1200, 700, 360]:
            page.set_viewport_size({"width": width, "height": 800})
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        page.emulate_media(media="print")
        self.assertFalse(page.locator(".controls input[type=range]").is_visible())
        self.assertTrue(page.locator(".controls output").is_visible())
        self.assertTrue(page.locator(".matrix svg").first.is_visible())

    def test_light_and_dark_differ_and_can_be_read(self):
        colours = set()
        for scheme in ["light", "dark"]:
            page = self.open("corpus/fig1_mdcask.c", "corpus/deadlock_ring.c", "--np", "8", color_scheme=scheme)
            colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            # Contrast, names, roles, order of headings, ...
            found = Axe().run(page)
            self.assertEqual(found.violations_count, 0, found.generate_report())
        self.assertEqual(len(colours), 2)

    def test_without_its_script_the_page_still_shows_one_number_of_processes(self):
        page = self.open("corpus/fig1_mdcask.c", "--np", "2,8,1000", java_script_enabled=False)
        self.assertTrue(page.locator(".matrix svg").first.is_visible())
        self.assertTrue(page.locator(".channel .excerpt").first.is_visible())


if __name__ == "__main__":
    unittest.main()
