"""What pages share: sliders that report while they are dragged, figures that change in place, cards and layout."""

from pages.ui.address import choose, set_choices
from pages.ui.agents import Agents, grades_simulation, pick_agents
from pages.ui.cards import (
    Cell,
    Kind,
    Place,
    Tile,
    axis_name,
    badge,
    bullets,
    display,
    facts,
    grouped_table,
    guarantee_card,
    headline,
    level_sentence,
    link,
    note,
    privacy_words,
    progress,
    protection,
    remark,
    status_kind,
    story,
    table,
    table_html,
    tiles,
    title,
)
from pages.ui.charts import Chart
from pages.ui.data import pick_data, sample_simulation, with_functions
from pages.ui.explanations import explanation
from pages.ui.export import Export, bar
from pages.ui.figure import Figure, Stroke, faded
from pages.ui.follow import follow, interrupt, interruptible
from pages.ui.layout import begin, card, columns, more_settings
from pages.ui.own_table import OwnTable, keep_own_table, own_table
from pages.ui.report import REPORT_EPSILONS, FigureCard, Frame, Report, Same
from pages.ui.script import write_script
from pages.ui.sliders import Mark, Panel, Slider, epsilon_slider, set_sliders, shared_epsilon
from pages.ui.tuning import pick_task

__all__ = [
    "REPORT_EPSILONS",
    "Agents",
    "Cell",
    "Chart",
    "Export",
    "Figure",
    "FigureCard",
    "Frame",
    "Kind",
    "Mark",
    "OwnTable",
    "Panel",
    "Place",
    "Report",
    "Same",
    "Slider",
    "Stroke",
    "Tile",
    "axis_name",
    "badge",
    "bar",
    "begin",
    "bullets",
    "card",
    "choose",
    "columns",
    "display",
    "epsilon_slider",
    "explanation",
    "facts",
    "faded",
    "follow",
    "grades_simulation",
    "grouped_table",
    "guarantee_card",
    "headline",
    "interrupt",
    "interruptible",
    "keep_own_table",
    "level_sentence",
    "link",
    "more_settings",
    "note",
    "own_table",
    "pick_agents",
    "pick_data",
    "pick_task",
    "privacy_words",
    "progress",
    "protection",
    "remark",
    "sample_simulation",
    "set_choices",
    "set_sliders",
    "shared_epsilon",
    "status_kind",
    "story",
    "table",
    "table_html",
    "tiles",
    "title",
    "with_functions",
    "write_script",
]
