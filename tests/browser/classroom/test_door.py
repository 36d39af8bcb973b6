"""The way into a room: one tap; once for each browser; back after a reload; out when it ends."""


def test_one_tap_leads_in_and_a_reload_back(lesson, app):
    (phone,) = lesson.join(1)
    name = phone.locator(".who").inner_text()
    lesson.projector.get_by_role("listitem").filter(has_text=name.split(" · ")[0]).wait_for()
    phone.reload()
    phone.get_by_text("You are in").wait_for()
    assert phone.locator(".who").inner_text() == name
    again = phone.context.new_page()  # the same browser, a second tab
    again.goto(f"{app}/join?room={lesson.code}")
    again.get_by_text("You are in").wait_for()
    assert again.locator(".who").inner_text() == name
    assert lesson.barriers() == []
    lesson.projector.reload()
    lesson.projector.get_by_text("1 phone is in").wait_for()
    assert lesson.projector.locator(".pb-door-code").inner_text() == lesson.code


def test_a_wrong_code_gets_a_sentence_and_the_right_one_leads_in(lesson, app, page):
    page.goto(f"{app}/join")
    page.get_by_label("Code of the room").fill("222222")
    page.get_by_label("A nickname").fill("<b>Ada</b>")
    page.get_by_role("button", name="Come in").click()
    page.get_by_text("There is no room with this code").wait_for()
    page.get_by_label("Code of the room").fill(lesson.code.lower())
    page.get_by_label("A nickname").fill("<b>Ada</b>")
    page.get_by_role("button", name="Come in").click()
    page.get_by_text("You are in, <b>Ada</b>.").wait_for()
    lesson.projector.get_by_text("<b>Ada</b>").wait_for()


def test_an_experiment_is_changed_in_two_clicks_and_when_the_teacher_ends_the_room_the_phones_say_so(lesson):
    phones = lesson.join(2)
    lesson.play("Our favourite")
    phones[0].get_by_role("button", name="With noise").tap()
    lesson.projector.get_by_text("1 of 2 have voted").first.wait_for()
    lesson.play("Be the attacker")
    lesson.projector.locator(".st-key-class-leave button").click()
    lesson.projector.get_by_role("button", name="Envelope 1").wait_for()
    # What was asked is gone with the answer, and not when the next click has moved what it was meant for.
    lesson.projector.locator(".st-key-class-leave").wait_for(state="hidden")
    lesson.projector.get_by_role("button", name="Envelope 1").click()
    lesson.projector.get_by_role("button", name="Begin").click()
    lesson.projector.get_by_text("once somebody has tried").wait_for()
    lesson.projector.get_by_role("button", name="Room").click()
    lesson.projector.get_by_role("button", name="End this room").click()
    lesson.projector.get_by_role("button", name="Open a room").wait_for()
    for phone in phones:
        phone.get_by_text("That room has ended").wait_for()
