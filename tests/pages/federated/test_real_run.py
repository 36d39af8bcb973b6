"""The tab that opens the ledger of a real run."""

import json

from privbo_core.federated.flower.ledger import Count, open_book
from privbo_core.privacy import epsilon
from tests.helpers.opening import open_page
from tests.helpers.reading import html, said
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
    return bring(open_page("federated", {"federated_runs": "5", "federated_tab": "A real run"}, N=6, T=4, M=10), data)


def bring(app, data):
    app.get("file_uploader")[-1].upload("ledger.jsonl", data, "application/jsonl").run()
    return app


def test_a_ledger_is_shown_like_a_simulation_and_another_file_gets_a_sentence_while_it_stays(tmp_path):
    app = opened(a_ledger(tmp_path, regrets=(0.9, 0.5, 0.25)))
    text = said(app)
    spent = epsilon(0.5, 1.0, 3, 0.001, "pld")
    for words in (
        f"3 broadcasts cost ε = {spent:.2f} of a budget of 9.00, at δ = 0.001",
        "75 % of 4 agents answered, 50 % were selected, 50 % of the vectors were clipped",
        "3 answers were no use",
        "The noise is 2.5 times as long as the signal",
        "The last broadcast promises most at a = 0.5, b = 2",
        "Published regret: 0.9 at first, 0.25 in the end",
    ):
        assert words in text
    twice = b'{"kind": "run", "kind": 1}\n'
    for other in (b"", b"\xff\xfe\x00", b"[1, 2]\n", b'{"kind": "run"}\n', b"a,b\n1,2\n", twice):
        bring(app, other)
        (error,) = app.error
        assert "ledger" in error.value
        assert "3 broadcasts cost" in said(app)


def test_what_was_not_published_or_not_promised_is_said_and_names_are_drawn_as_text(tmp_path):
    names = json.dumps(["<img src=x onerror=alert(1)>", "$b$ *b*"]).encode()
    app = opened(a_ledger(tmp_path, noise="z = 0.0", budget="inf").replace(b'["a", "b"]', names))
    text, shown = said(app), html(app)
    assert "3 broadcasts without noise: nothing hides an agent, ε = ∞" in text
    assert "No agent chose to publish its regret" in text
    assert "Published regret" not in text
    assert "<img" not in shown
    assert "&lt;img src=x" in shown
