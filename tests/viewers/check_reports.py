"""Opens reports in a real browser: every view is drawn, zoomed, used by keyboard and in the dark, without an error."""

import pathlib
import shutil
import sys

import goldens
from playwright.sync_api import sync_playwright

# Parts of a canvas that differ from its most frequent colour.
INKED = """canvas => {
  const ink = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = new Map();
  for (let at = 0; at < ink.length; at += 4) {
    const colour = (ink[at] << 24) | (ink[at + 1] << 16) | (ink[at + 2] << 8) | ink[at + 3];
    seen.set(colour, (seen.get(colour) || 0) + 1);
  }
  return [1 - Math.max(...seen.values()) / (ink.length / 4), seen.size];
}"""


def drawn(page, selector):
    inked, colours = page.eval_on_selector(selector, INKED)
    assert inked > 0.02 and colours > 3, f"{selector} is empty: {inked:.3f} in {colours} colours"


def pixels(page, selector):
    return page.eval_on_selector(selector, "canvas => canvas.toDataURL()")


def reasons(page, policies):
    """The tree opens, sorts and adds up; the bars of all policies are there; so are regions, nodes and times of lines."""
    assert page.locator("#reasons-bars tr").count() == policies, "a policy has no bar"
    body = page.locator("#reasons-tree tbody tr")
    first = body.count()
    assert first > 1, "the tree is empty"
    page.click("#reasons-open")
    assert body.count() > first, "nothing opens"
    page.click("#reasons-close")
    closed = body.count()
    assert closed < first, "nothing closes"
    body.first.focus()
    page.keyboard.press("ArrowRight")
    assert body.count() > closed, "the keyboard opens nothing"
    assert body.first.evaluate("row => row === document.activeElement"), "the focus is lost"
    shares = "rows => rows.map(row => parseFloat(row.cells[1].innerText.replace('<', '')) || 0)"
    inside = page.eval_on_selector_all("#reasons-tree tr[aria-level='2'], #reasons-tree tr:not([aria-level])", shares)
    inside = [share for share in inside if share > 0]
    assert inside == sorted(inside, reverse=True), f"not in order: {inside}"
    page.locator("#reasons-tree th").nth(1).click()
    assert page.locator("#reasons-tree th").nth(1).get_attribute("aria-sort") == "ascending"
    page.locator("#reasons-tree th").nth(1).click()
    assert page.locator("#regions tbody tr").count() > 0, "no regions"
    drawn(page, "#latencies")


# Views whose pictures are kept, of every report that has them.
HELD = ("#reasons-bars", "#charts canvas", "#matrix", "#topology svg", "#latencies", "#by-node", "#task-chart")


def hold(browser, page, name, views):
    """Holds views against their goldens, as far as the page has them."""
    helper = browser.new_page()
    for view in views:
        shown = page.locator(view).first
        if shown.count() and shown.is_visible():
            goldens.hold(helper, shown, f"{name}-{view.strip('#').replace(' ', '-')}")
    helper.close()


def check(browser, path, pictures):
    problems = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    # The browser's advice for reading canvases, which only this script does.
    ours = "willReadFrequently"
    page.on("console", lambda m: problems.append(m.text) if m.type in ("error", "warning") and ours not in m.text else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith("file:") or r.url.startswith("blob:") else problems.append(r.url))
    page.goto(path.resolve().as_uri())
    page.wait_for_function("document.documentElement.dataset.ready === 'yes'", timeout=60_000)
    page.screenshot(path=pictures / f"{path.stem}.png", full_page=True)

    rows = page.locator("#policies tbody tr").count()
    assert rows > (0 if path.stem == "why" else 1), "no policies"
    assert (path.stem == "why") == page.locator("#changes tbody tr").first.is_visible(), "advice is where it was asked for"
    wide = "box => box.scrollWidth - box.clientWidth"
    assert page.locator("#policies").locator("..").evaluate(wide) <= 0, "columns of the first table are cut"
    for canvas in ("#charts canvas", "#matrix", "#by-node"):
        drawn(page, canvas)
    assert page.locator("#hot tbody tr").count() > 0
    assert page.locator("#topology svg rect, #topology p").count() > 0

    best = page.evaluate("[...document.querySelectorAll('#policies tbody tr')].findIndex(row => row.querySelector('.best'))")
    assert rows == 1 or page.eval_on_selector("#policy", "one => Number(one.value)") == best, "it opens on another policy than the best"
    hold(browser, page, path.stem, HELD)
    reasons(page, rows)
    chart = page.locator("#charts canvas").first
    before = pixels(page, "#charts canvas")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 60)
    assert page.locator("#tip").is_visible() and "thread" in page.locator("#tip").inner_text(), "nothing to read"
    # The wheel scrolls the page, and zooms with Ctrl.
    top = page.evaluate("window.scrollY")
    page.mouse.wheel(0, 120)
    page.wait_for_timeout(200)
    assert page.evaluate("window.scrollY") > top, "the wheel does not scroll"
    assert pixels(page, "#charts canvas") == before, "the wheel zooms without Ctrl"
    page.mouse.wheel(0, -120)
    page.wait_for_timeout(200)
    page.keyboard.down("Control")
    for _ in range(4):
        page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_timeout(100)
    zoomed = pixels(page, "#charts canvas")
    assert zoomed != before, "Ctrl and the wheel do not zoom"
    chart.focus()
    page.keyboard.press("ArrowRight")
    assert pixels(page, "#charts canvas") != zoomed, "the keyboard does not move"
    page.screenshot(path=pictures / f"{path.stem}-zoomed.png")
    page.click("#zoom-measured")
    assert pixels(page, "#charts canvas") == before, "the way back leads elsewhere"
    page.fill("#find", "node 1")
    assert "thread" in page.locator("#found").inner_text()
    assert pixels(page, "#charts canvas") != before, "what was found is not marked"
    page.fill("#find", "")
    for level in ("socket", "board", "thread", "auto"):
        page.select_option("#level", level)
        drawn(page, "#charts canvas")
    page.select_option("#colours", "domain")
    drawn(page, "#charts canvas")
    assert "data on board" in page.locator("#legend").inner_text() and "data on board" in page.locator("#shares").inner_text()
    page.select_option("#colours", "class")
    told = page.locator("#shares").inner_text()
    page.click("#zoom-all")
    page.click("#zoom-in")
    assert page.locator("#shares").inner_text() != told, "the shares are not those of the visible time"
    page.click("#zoom-measured")
    page.check("#arrows")
    assert page.locator("#other").is_visible() == (rows > 1), "a choice of one policy"
    if rows > 1:
        first = page.eval_on_selector("#policy", "one => one.value")
        page.select_option("#other", "1" if first == "0" else "0")
        assert page.locator("#charts canvas").count() == 2, "no second policy"

    mean = pixels(page, "#matrix")
    page.eval_on_selector("#moment", "m => { m.value = Math.round(m.max * 0.7); m.dispatchEvent(new Event('input')); }")
    assert not page.is_checked("#mean")
    drawn(page, "#matrix")
    assert pixels(page, "#matrix") != mean, "the slider changes nothing"
    page.click("#play")
    page.wait_for_timeout(400)
    page.click("#play")

    # Every policy can be chosen, by keyboard.
    for at in range(rows):
        page.locator("#policies tbody tr").nth(at).focus()
        page.keyboard.press("Enter")
        assert page.eval_on_selector("#policy", "one => one.value") == str(at)
        drawn(page, "#charts canvas")
        if page.locator("#tasks").is_visible():
            drawn(page, "#task-chart")
            page.select_option("#colours", "task")
            drawn(page, "#charts canvas")
            page.select_option("#colours", "class")
    assert page.locator("#dark").inner_text() == "dark page"
    page.click("#dark")
    assert page.locator("#dark").inner_text() == "light page", "the button does not say what it does"
    greys = page.evaluate("['--idle', '--overhead'].map(name => parseInt(plainColour(`var(${name})`).slice(1, 3).repeat(2), 16) >> 8)")
    assert abs(greys[0] - greys[1]) > 80, f"greys of the dark page are alike: {greys}"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 22, 22)"
    drawn(page, "#charts canvas")
    page.screenshot(path=pictures / f"{path.stem}-dark.png", full_page=True)
    # The moment at which playing stopped is nobody's to know.
    page.check("#mean")
    hold(browser, page, f"{path.stem}-dark", ["#charts canvas", "#matrix"])
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator(".controls").first.is_visible()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 420, "a narrow page scrolls sideways"
    assert page.locator("#policies").locator("..").evaluate(wide) <= 0, "a narrow page hides what policies wait for"
    page.screenshot(path=pictures / f"{path.stem}-narrow.png", full_page=True)
    assert not problems, problems
    page.close()
    print(f"{path.name}: {rows} policies, every view drawn, no error")


with sync_playwright() as playwright:
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
    for name in sys.argv[2:]:
        check(browser, pathlib.Path(name), pathlib.Path(sys.argv[1]))
    browser.close()
