"""PrivBO: run with `streamlit run app.py`."""

import streamlit as st

if __name__ == "__main__":  # for each visitor, whenever a page is drawn
    from pages.ui.navigation import enter

    enter()
else:  # once, when the server starts
    from pages.ui import server

    app = st.App(__file__, lifespan=server.prepared, routes=server.routes(), middleware=server.MIDDLEWARE)
