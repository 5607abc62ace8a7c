"""Pictures of a topology report for the README, light and dark: `make pictures`.

Usage: screenshots.py REPORT NP FROM TO OUTPUT. Shows the report of its first program at NP processes, with the messages
from rank FROM to rank TO, and writes OUTPUT-light.png and OUTPUT-dark.png. Playwright is in build/browser/lib."""

import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

report, np, sender, receiver, output = sys.argv[1:]
with sync_playwright() as playwright:
    path = shutil.which("chromium") or shutil.which("google-chrome")
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
    for scheme in ["light", "dark"]:
        page = browser.new_page(viewport={"width": 1100, "height": 900}, color_scheme=scheme)
        page.goto(pathlib.Path(report).resolve().as_uri())
        section = page.locator(".program").first
        exact = section.get_by_label("or exactly")
        exact.fill(np)
        exact.press("Enter")
        if exact.input_value() != np:
            sys.exit(f"{report} has nothing at np = {np}")
        section.get_by_label("From rank").fill(sender)
        section.get_by_label("to rank").fill(receiver)
        section.get_by_role("button", name="Show messages").click()
        page.evaluate("document.activeElement.blur()")
        first, last = section.locator(".controls").bounding_box(), section.locator(".detail").bounding_box()
        top = first["y"] + page.evaluate("scrollY") - 12
        bottom = last["y"] + last["height"] + page.evaluate("scrollY") + 12
        clip = {"x": 0, "y": top, "width": 1100, "height": bottom - top}
        page.screenshot(path=f"{output}-{scheme}.png", full_page=True, clip=clip)
        page.close()
    browser.close()
