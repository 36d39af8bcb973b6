"""Figures as functions from values to a figure, without Streamlit."""
