"""The Federated page without a browser: it shows the numbers that the engine computes."""

import re
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest

import privbo_core as pb
from pages.figures.federated import PAPER_NOISE
from privbo_core.federated import ask_every_agent, guarantee, losses, noise_needed, saving, total_loss, trade_off
from privbo_core.privacy import strength
from tests.helpers.charts import charts, handles, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import html
from tests.helpers.shown import guarantee as card_of
from tests.helpers.shown import headline, open_sections, sections, tiles, titles, values
from tests.helpers.together import open_few, rounds, settings_of, simulation, together

SETTINGS = [
    ({}, {}, 24),
    ({"z": "2.5", "q": "0.6", "S": "6", "P": "4", "N": "60"}, {"z": 2.5, "q": 0.6, "S": 6.0, "P": 4}, 60),
    ({"P": "1", "q": "1", "z": "3"}, {"P": 1, "q": 1.0, "z": 3.0}, 24),
    ({"gain": "noise", "P": "4", "a": "9"}, {"P": 4, "a": 9.0, "calibration": "exact"}, 24),
    ({"agents": "grades", "z": "0.8"}, {"kind": "grades", "z": 0.8}, 24),
    ({"agents": "schools", "N": "98"}, {"kind": "schools"}, 98),
]


@pytest.mark.parametrize(("query", "changed", "N"), SETTINGS)
def test_epsilon_by_both_accounts_is_the_engine_s(query, changed, N):
    app, settings = open_few(**query), settings_of(**changed)
    tight, paper = total_loss(settings, N, "pld", "exact"), losses(settings, N)[-1]
    name, value, remark = tiles(app)[0]
    assert tells(value, tight)
    assert tells(remark, paper)
    assert tells(name, 8)
    drawn = charts(app)["privacy"]
    assert tells(drawn["alt"], tight, paper)
    curves = traces(drawn)
    by_moments = losses(replace(settings, iterations=100), N)
    assert curves["later rounds"]["y"] == pytest.approx(by_moments, rel=1e-4)
    assert curves["moments"]["y"] == pytest.approx(by_moments[:8], rel=1e-4)
    exact = losses(settings, N, "pld", "exact")
    at = [int(t) for t in curves["tight"]["x"]]
    assert (at[0], at[-1]) == (1, 8)
    assert curves["tight"]["y"] == pytest.approx([exact[t - 1] for t in at], rel=1e-4)
    dot = handles(drawn)["T"]
    assert dot["value"] == 8
    assert np.interp(8, dot["x"], dot["y"]) == pytest.approx(by_moments[7], rel=1e-4)


@pytest.mark.parametrize(("query", "changed", "N"), SETTINGS)
def test_the_cost_in_rounds_is_the_engine_s(query, changed, N):
    app, progress = open_few(**query), together(N=N, **changed)
    found = rounds(progress)
    extra = found.extra
    title, lead = headline(app)
    assert tells(lead, N, min(extra.private, 8), min(extra.plain, 8), extra.low, extra.high, 6)
    helps = extra.high < 0 and not extra.high_open
    assert bool(numbers(title)) == (extra.significant or helps)
    if numbers(title):
        assert tells(title, abs(extra.extra) if extra.private_reached else extra.limit - extra.plain)
    cost, saved, clipped, ratio = tiles(app)[1:]
    assert tells(cost[2], extra.low, extra.high)
    assert bool(numbers(cost[1])) == extra.significant
    assert tells(saved[2], found.saved_low, found.saved_high)
    assert (numbers(saved[1]) == [found.saved, 8]) == (found.saved_low > 0)
    bands = {name: progress.band("DP-FTS-DE", name).mean.mean() for name in ("clipped", "signal", "noise")}
    assert tells(clipped[1].replace("%", ""), round(100 * bands["clipped"]))
    assert tells(clipped[0], settings_of(**changed).P), "the clipped share names its P"
    assert tells(ratio[1], bands["noise"] / bands["signal"])


@pytest.mark.parametrize("measure", ["simple", "cumulative"])
@pytest.mark.parametrize(("query", "changed", "N"), SETTINGS)
def test_the_regret_is_the_engine_s(query, changed, N, measure):
    app, progress = open_few(measure=measure, **query), together(N=N, **changed)
    scale = simulation(changed.get("kind", "family")).problem(0).unit
    drawn = traces(charts(app)["regret"])
    P = settings_of(**changed).P
    names = {"TS", "FTS-DE", "DP-FTS-DE", *({"FTS", "DP-FTS"} if P > 1 else ())}
    for name in names:
        assert drawn[name]["y"] == pytest.approx(list(scale * progress.band(name, measure).mean), rel=1e-4)
        assert drawn[name]["x"] == list(range(1, 9))
    assert set(drawn) - names == ({PAPER_NOISE} if "calibration" in changed else set())
    title, _ = titles(app)[1]
    gain = saving(progress, "DP-FTS-DE", "TS", 8)
    assert (re.search(r"\bis clearly\b", title) is not None) == gain.clear
    assert (" behind " in title) == (gain.clear and gain.mean < 0)


def test_less_noise_is_drawn_beside_the_paper_s():
    app, settings = open_few(gain="noise", P="4"), settings_of(P=4, calibration="exact")
    papers = together(P=4).band("DP-FTS-DE", "simple").mean
    assert traces(charts(app)["regret"])[PAPER_NOISE]["y"] == pytest.approx(list(papers), rel=1e-4)
    gains = pb.federated.multipliers(replace(settings, z=1.0, calibration="paper"), 24, "exact")
    title, _ = titles(app)[0]
    assert tells(title, gains.max(), losses(settings, 24)[-1])


def test_noise_that_helps_is_named_and_never_luck():
    app = open_few(agents="grades", T="15", M="30", runs="20", N="237")
    extra = rounds(together("grades", 237, 20, iterations=15, features=30)).extra
    assert extra.high < 0
    assert re.search(r"\bNoise makes the schools explore more\b", headline(app)[0])
    assert tells(headline(app)[0], -extra.extra)
    words = html(app) + " ".join(each.value for each in app.markdown)
    assert not re.search(r"\b(luck|lucky|chance)\b", words)


@pytest.mark.parametrize(("query", "changed", "N"), SETTINGS)
def test_the_guarantee_is_the_engine_s(query, changed, N):
    kind = changed.get("kind", "family")
    app, settings = open_few(**query), settings_of(**changed)
    problem = pb.federated.schools() if kind == "schools" else None
    promise = replace(guarantee(settings, N, "pld", "exact", problem=problem), curve=trade_off(settings, N))
    card, unmet = card_of(app), kind == "schools"
    assert ("pb-proven" in card, "pb-caution" in card) == (not unmet, unmet)
    assert tells(card, promise.epsilon, N**-1.1)
    found = strength(promise)
    word = "no" if found.level == 0 else found.word
    assert (f"{word} protection" in card) != unmet
    assert tells(card, found.percent) or unmet
    assert ("would" in titles(app)[0][0]) == unmet
    lead = re.search(r'<p class="pb-lead[^>]*><span class="pb-badge pb-(\w+)', html(app))
    assert lead.group(1) == ("caution" if unmet else "proven")


def test_the_attack_that_the_card_leads_to_is_on_these_settings():
    address = re.search(r'href="audit[?]([^"]*)"', card_of(open_few(z="1.3", P="4", a="9"))).group(1)
    asked = dict(parse_qsl(address.replace("&amp;", "&")))
    assert {key: float(asked[key]) for key in ("z", "q", "P", "a", "N", "T")} == {
        "z": 1.3, "q": 0.25, "P": 4, "a": 9, "N": 24, "T": 8
    }  # fmt: skip
    assert asked["attack"] == "canary"
    assert "audit" not in card_of(open_few(gain="noise")), "the audit attacks the paper's noise"


def test_every_agent_at_the_same_epsilon_is_one_click_away():
    app, settings = open_few(z="1.5", P="4"), settings_of(z=1.5, P=4)
    every = ask_every_agent(settings, 24, "exact")
    assert tells(html(app).replace("%", " "), round(100 * (1 - every.noise_ratio)))
    app.button(key="ask-every-agent").click().run()
    assert values(app)["q"] == 1
    z = values(app)["z"]
    assert every.settings.z <= z <= 1.001 * every.settings.z, "the noise is never rounded down"
    assert tells(tiles(app)[0][1], every.epsilon)
    assert "ask-every-agent" not in {each.key for each in app.button}


def test_z_is_set_for_the_epsilon_of_other_pages():
    app = open_few()
    assert "set-z" not in {each.key for each in app.button}, "no page has an ε that was chosen"
    app.switch_page("pages/outsourced.py")
    for name, value in {"epsilon": "1.7", "T": "5", "runs": "5"}.items():
        app.query_params[name] = value
    app.run()
    app.query_params.clear()
    app.switch_page("pages/federated.py").run()
    app.button(key="set-z").click().run()
    z, needed = values(app)["z"], noise_needed(settings_of(), 24, 1.7, "pld", "exact")
    assert needed <= z <= needed * 1.001
    assert tells(tiles(app)[0][1], 1.7)
    app.switch_page("pages/outsourced.py").run()
    assert values(app)["epsilon"] == 1.7, "a result here changes no other page"


def test_an_epsilon_out_of_reach_is_named():
    app = open_few({"ui/shared": {"epsilon": 1000.0}}, q="0.01", T="2")
    assert noise_needed(settings_of(iterations=2, q=0.01), 24, 1000.0, "pld", "exact") < 0.2
    assert "set-z" not in {each.key for each in app.button}
    assert "1,000" in html(app)


SECTIONS = {"privacy", "regret", "meaning", "sweep", "broadcasts", "map"}


@pytest.mark.parametrize("query", [{}, {"P": "1"}, {"agents": "grades"}, {"agents": "schools", "T": "2"}])
def test_all_sections_open(query):
    app = open_sections(open_few(**query))
    assert len(sections(app)) == 7
    weights = {"weights"} if query.get("P") != "1" and query.get("agents") != "grades" else set()
    assert charts(app).keys() == SECTIONS | weights


def test_what_an_epsilon_means_is_the_engine_s():
    app = open_sections(open_few(z="2"))
    curve = traces(charts(app)["meaning"])["best attacker"]
    for times, percent in zip(curve["x"], curve["y"], strict=True):
        right = 100 * (1 - trade_off(settings_of(z=2.0), 24, times=int(times)).least_error(0.5))
        assert percent == pytest.approx(right, rel=1e-4)
    assert curve["y"] == sorted(curve["y"])


@pytest.mark.parametrize(("symbol", "when"), [("z", "early"), ("q", "last"), ("S", "early")])
def test_the_sweep_is_the_engine_s(symbol, when):
    app = open_sections(open_few(sweep=symbol, when=when))
    rows = re.findall(rf"<tr><td>{symbol} = ([\d.]+)</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", html(app))
    curve = traces(charts(app)["sweep"])["DP-FTS-DE"]
    assert len(rows) == len(curve["x"]) >= 6
    for value, paper, tight, regret in rows:
        at = settings_of(**{symbol: float(value)})
        assert tells(paper, losses(at, 24)[-1])
        assert tells(tight, total_loss(at, 24, "pld", "exact"))
        records = together(runs=10, **{symbol: float(value)}).finished["DP-FTS-DE"]
        ends = [record.simple.mean() if when == "early" else record.simple[-1] for record in records]
        assert tells(regret, np.mean(ends))
        assert any(y == pytest.approx(np.mean(ends), rel=1e-4) for y in curve["y"])


@pytest.mark.parametrize("accountant", ["tight", "moments"])
@pytest.mark.parametrize("symbol", ["z", "q", "T"])
def test_a_solution_keeps_the_epsilon_that_is_wanted(accountant, symbol):
    app = open_sections(open_few(epsilon="2.5", accountant=accountant, P="4"))
    app.button(key=f"set/{symbol}").click().run()
    now = values(app)
    how = ("pld", "exact") if accountant == "tight" else ("moments", "paper")
    found = settings_of(z=now["z"], q=now["q"], iterations=int(now["T"]), P=4)
    assert losses(found, 24, *how)[-1] <= 2.5
    further = {"z": {"z": 0.99 * now["z"]}, "q": {"q": 1.01 * now["q"]}, "T": {"iterations": int(now["T"]) + 1}}
    assert losses(replace(found, **further[symbol]), 24, *how)[-1] > 2.5


def test_the_map_shows_each_round_of_one_run():
    app = open_sections(open_few())
    points, found = simulation().problem(0).points, list(simulation().rounds(settings_of(), 24, 0))
    for t in (3, 0):
        app.slider[0].set_value(t).run()
        drawn = traces(charts(app)["map"])
        if t == 0:
            rows = np.unique(found[0].initial)
            assert sorted(drawn["starts here"]["x"]) == pytest.approx(sorted(points[rows, 0]), abs=1e-5)
            continue
        followed = np.unique(found[2].queries[found[2].followed])
        assert sorted(drawn["follows the server"]["x"]) == pytest.approx(sorted(points[followed, 0]), abs=1e-5)
        assert tells(titles(app)[-1][0], 3, int(found[2].followed.sum()), 24)
