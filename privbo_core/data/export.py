"""Tables out: CSV that a spreadsheet shows and does not execute."""

import pandas as pd

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: pd.DataFrame, *, mark: str = ".") -> str:
    """Return ``table`` as CSV (comma, one header row, no index; lines end in CR LF, as RFC 4180 has it).

    ``mark``: the decimal mark; with a comma, cells are divided by semicolons, as spreadsheets there expect it.

    Spreadsheets run a cell that begins with = + - @, a tab or a carriage return as a formula. A cell of *text* that
    does, also behind spaces, and a column name that does get an apostrophe in front; numbers are left as they are.
    """
    safe = table.copy(deep=False)
    safe.columns = pd.Index([neutral(name) for name in table.columns])
    for position, dtype in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_datetime64_any_dtype(dtype)):
            cells = table.iloc[:, position].astype("object").map(neutral, na_action="ignore")
            safe.isetitem(position, cells.to_numpy())
    # Only the characters of the line terminator make the writer quote a cell, so it has to be both of them.
    return safe.to_csv(index=False, lineterminator="\r\n", sep=";" if mark == "," else ",", decimal=mark)


def neutral(cell: object) -> object:
    """Return ``cell`` with an apostrophe in front if it is text that a spreadsheet would run as a formula."""
    if isinstance(cell, str) and (cell.startswith(_STARTS_A_FORMULA) or cell.lstrip().startswith(_STARTS_A_FORMULA)):
        return "'" + cell
    return cell
