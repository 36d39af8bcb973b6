"""PrivBO: run with `streamlit run app.py`."""

from pages.parts.front_door import enter

enter()
