"""The tab that opens the ledger of a real run."""

import json
import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from privbo_core.federated.flower.ledger import Count, open_book
from privbo_core.privacy import epsilon
from tests.helpers.paths import APP
from tests.helpers.small_terms import terms


def a_ledger(folder, regrets=(), **changed):
    found = terms(folder, **{"rounds": 3, "budget": 9.0, **changed})
    with open_book(folder / "ledger.jsonl", found) as book:
        for t in (1, 2, 3):
            book.broadcast(Count(t, book.after_one_more(), 4, 3, 1, 2, 0.5, 3.0, 7.5, (0.5, 2.0)))
            if regrets:
                book.outcomes(t, [regrets[t - 1]])
        book.end("done")
    return (folder / "ledger.jsonl").read_bytes()


def opened(data):
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in {"N": "6", "T": "4", "M": "10"}.items():
        app.query_params[name] = value
    app.session_state["federated_runs"] = "5"
    app.session_state["federated_tab"] = "A real run"
    app = app.switch_page(str(APP.parent / "pages" / "federated.py")).run()
    return bring(app, data)


def bring(app, data):
    return app.get("file_uploader")[-1].upload("ledger.jsonl", data, "application/jsonl").run()


def said(app):
    texts = [each.value for each in (*app.markdown, *app.warning, *app.info, *app.caption)]
    texts += [each.proto.body for each in app.get("html")]
    return unescape(re.sub(r"<style.*?</style>|</?[a-z][^>]*>", "", " ".join(texts), flags=re.DOTALL)).replace("\\", "")


def test_a_ledger_is_shown_like_a_simulation(tmp_path):
    text = said(opened(a_ledger(tmp_path, regrets=(0.9, 0.5, 0.25))))
    spent = epsilon(0.5, 1.0, 3, 0.001, "pld")
    assert f"3 broadcasts cost ε = {spent:.2f} of a budget of 9.00, at δ = 0.001" in text
    assert "75 % of 4 agents answered, 50 % were selected, 50 % of the vectors were clipped" in text
    assert "3 answers were no use" in text
    assert "The noise is 2.5 times as long as the signal" in text
    assert "The last broadcast promises most at a = 0.5, b = 2" in text
    assert "Published regret: 0.9 at first, 0.25 in the end" in text


def test_regret_is_shown_only_if_somebody_published_it(tmp_path):
    text = said(opened(a_ledger(tmp_path)))
    assert "No agent chose to publish its regret" in text
    assert "Published regret" not in text


def test_without_noise_nothing_is_promised(tmp_path):
    text = said(opened(a_ledger(tmp_path, noise="z = 0.0", budget="inf")))
    assert "3 broadcasts without noise: nothing hides an agent, ε = ∞" in text


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"[1, 2]\n", b'{"kind": "run"}\n', b"a,b\n1,2\n", b'{"kind": "run", "kind": 1}\n']
)
def test_another_file_gets_a_sentence_and_the_last_ledger_stays(tmp_path, data):
    app = opened(a_ledger(tmp_path))
    app = bring(app, data)
    assert not app.exception
    assert len(app.error) == 1
    assert "ledger" in app.error[0].value
    assert "3 broadcasts cost" in said(app)


def test_a_hostile_ledger_draws_its_names_as_text(tmp_path):
    data = a_ledger(tmp_path).replace(b'["a", "b"]', json.dumps(["<img src=x onerror=alert(1)>", "$b$ *b*"]).encode())
    app = opened(data)
    assert not app.exception
    shown = " ".join(each.proto.body for each in app.get("html"))
    assert "<img" not in shown
    assert "&lt;img src=x" in shown
