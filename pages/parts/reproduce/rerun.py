"""Running an experiment again, in part, before one's eyes: started, stopped, gone on with."""

import os
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.live.cluster import CONNECTION
from pages.parts.live.work import follow
from pages.parts.views.drawing import note
from pages.parts.views.templates import render
from privbo_core.bo.parallel import step_back
from privbo_core.experiments import Experiment, Report, RunStep, Shelf, WorkerDiedError, report, run
from privbo_core.experiments.cluster import OtherEngineError

RUNNING = "reproduce/running"
SHELVES = "reproduce/shelves"


@st.cache_resource
def workers() -> Executor:
    """Return the threads that compute for all sessions."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="privbo-reproduce", initializer=step_back)


class Rerun:
    """An experiment that is run again in this session, with ``runs`` replicates of each arm. What is finished stays."""

    def __init__(self, experiment: Experiment, runs: int) -> None:
        self._experiment, self._runs = experiment, runs
        self._asked = (experiment.name, runs)
        shelves: dict[str, Shelf] = st.session_state.setdefault(SHELVES, {})
        self._shelf = shelves.setdefault(experiment.name, Shelf())
        self.running = st.session_state.get(RUNNING) == self._asked
        if not self.running:
            # Another table or another number was chosen: what ran before does not go on by itself.
            st.session_state[RUNNING] = None
        wanted = experiment.pieces(runs, 1)
        self._total, self._known = len(wanted), sum(piece.key in self._shelf.outcomes for piece in wanted)

    def report(self) -> Report:
        """Return what has been run again in this session."""
        return report(self._experiment, self._shelf.outcomes.values())

    def offer(self, place: DeltaGenerator) -> None:
        """Show the button that starts, stops, or goes on."""
        begun = 0 < self._known < self._total
        place.button(
            "Stop" if self.running else "Go on" if begun else "Rerun live",
            on_click=self._stop if self.running else self._start,
            key="reproduce_button",
        )
        if self.running and (said := CONNECTION.where(own=False).note):
            note(said, status=True)

    def follow(self, draw: Callable[[Report], None], place: DeltaGenerator) -> None:
        """Run, if it is to, with the progress in its place, and draw what has come in; then run the page once more."""
        if self.running:
            drawn = -1

            def came_in(step: RunStep) -> None:
                nonlocal drawn
                if step.done != drawn:
                    drawn = step.done
                    _show_progress(place, "running", step.done, step.total)
                    draw(self.report())

            follow(self._steps(), came_in)
            self._stop()
            st.rerun()
        elif self._known:
            state = "finished" if self._known == self._total else "stopped"
            _show_progress(place, state, self._known, self._total)

    def _steps(self) -> Generator[RunStep, None, None]:
        """Yield the steps of the run: on the cluster, if there is one, and whatever that leaves undone, here."""
        cluster = CONNECTION.where(own=False).cluster
        if cluster is not None:
            try:
                yield from run(
                    self._experiment,
                    executor=cluster,
                    store=self._shelf,
                    runs=self._runs,
                    piece=1,
                    ahead=max(2, 2 * cluster.threads),
                )
            except (WorkerDiedError, OtherEngineError) as problem:
                CONNECTION.lost(problem.__cause__ or problem)
            else:
                return
        yield from run(self._experiment, executor=workers(), store=self._shelf, runs=self._runs, piece=1, ahead=2)

    def _start(self) -> None:
        """Run from the beginning if all is finished, else go on from where it was stopped."""
        if self._known == self._total:
            self._shelf.outcomes.clear()
        st.session_state[RUNNING] = self._asked

    def _stop(self) -> None:
        """End the run; what is finished stays."""
        st.session_state[RUNNING] = None


def _show_progress(place: DeltaGenerator, state: str, done: int, total: int) -> None:
    """Show how far the run has got, in a bar and in words."""
    place.html(render("progress.html", state=state, done=done, total=total))
