"""Save the column settings of the visitor's table as a small file, and load them."""

from dataclasses import replace

import streamlit as st

from pages.ui.own_data import own_file
from pages.ui.own_table import OwnTable, keep_own_table, made_key
from pages.ui.settings_editor import renew_editor
from pages.ui.text import to_markdown
from privbo_core.errors import DataError

KNOWN_LIMITS = (
    "Tick this if low, high and the protected difference of each column would be the same without the data, because a "
    "law, a code book or general knowledge gives them. The guarantee of the noisy release assumes that."
)
READ = made_key("settings read")
NOTES = made_key("settings notes")


def show_settings_file(own: OwnTable) -> None:
    """Show the way to save the column settings, and the place for a file of them."""
    assert own.settings is not None
    with st.popover("Column settings file", icon=":material/save:", width="stretch"):
        st.download_button(
            "Save settings", own.settings.to_json, "column-settings.json", "application/json", width="stretch"
        )
        file = own_file("Load settings", ("json",), "made/settings", "A file that was saved here. It contains no rows.")
        if file is not None and st.session_state.get(READ) != file.file_id:
            st.session_state[READ] = file.file_id
            try:
                settings, notes = own.settings.updated_from(file.getvalue())
            except DataError as error:
                st.session_state[NOTES] = (str(error),)
            else:
                st.session_state[NOTES] = notes or ("The settings are in use.",)
                renew_editor()
                keep_own_table(replace(own, settings=settings))
                st.rerun()
        for sentence in st.session_state.get(NOTES, ()):
            st.caption(to_markdown(sentence))
