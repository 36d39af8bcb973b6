"""The former address of Papers, which leads there with everything else that is in it."""

import streamlit as st

from pages import ui

ui.begin("reproduce")
st.switch_page("pages/papers.py", query_params=st.query_params.to_dict())
