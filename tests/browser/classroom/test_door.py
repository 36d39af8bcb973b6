"""The way into a room: one tap; once for each browser; back after a reload."""

from playwright.sync_api import expect


def test_one_tap_leads_in_a_reload_back_and_a_wrong_code_nowhere(lesson, app, page):
    (phone,) = lesson.join(1)
    name = phone.locator(".who").inner_text()
    lesson.projector.get_by_role("listitem").filter(has_text=name.split(" · ")[0]).wait_for()
    phone.reload()
    phone.get_by_text("You are in").wait_for()
    expect(phone.locator(".who")).to_have_text(name, use_inner_text=True)
    again = phone.context.new_page()  # the same browser, a second tab
    again.goto(f"{app}/join?room={lesson.code}")
    again.get_by_text("You are in").wait_for()
    expect(again.locator(".who")).to_have_text(name, use_inner_text=True)
    assert lesson.barriers() == []
    lesson.projector.reload()
    lesson.projector.get_by_text("1 phone is in").wait_for()
    expect(lesson.projector.locator(".pb-door-code")).to_have_text(lesson.code)

    page.goto(f"{app}/join")
    for code, said in (("222222", "There is no room with this code"), (lesson.code.lower(), "You are in, <b>Ada</b>.")):
        page.get_by_label("Code of the room").fill(code)
        page.get_by_label("A nickname").fill("<b>Ada</b>")
        page.get_by_role("button", name="Come in").click()
        page.get_by_text(said).wait_for()
    lesson.projector.get_by_text("<b>Ada</b>").wait_for()
