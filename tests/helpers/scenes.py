"""Scenes for tests: made up, and kept on a page as a visitor would."""

from pages.parts.export.scenes import Scene, Shot, Snapshot
from pages.parts.views.picture import LIGHT, PRIVATE, Picture

PAGES = {"": "Start", "outsourced": "Outsourced", "federated": "Federated"}


def drawn():
    picture = Picture()
    picture.line([0, 1, 2], [3, 1, 2], PRIVATE, name="private")
    return picture.as_json(LIGHT)


def a_scene(name="1", **properties):
    shots = (
        Shot("condition", "Distances survive", "curator", picture=drawn()),
        Shot("regret", "Privacy costs 0.12", "simulation", "40 runs", "✗ promise refuted", "Three curves.", drawn()),
    )
    told = ("Guarantee: refuted. It does not hold.",), (("Hides", "a row"),), "Homes", "1 May 2026", "regret"
    known = {"page": "outsourced", "settings": {"epsilon": "3", "data": "homes"}, "note": "Say hello"}
    return Scene(name, **{**known, "snapshot": Snapshot(shots, *told), **properties})


def press(app, key):
    next(button for button in app.button if button.key == key).click()
    app.run()
