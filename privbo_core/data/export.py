"""Write a table as CSV that is safe to open in a spreadsheet."""

import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: pd.DataFrame, *, mark: str = ".") -> str:
    """Return ``table`` as CSV with a comma, one header row and no index. Lines end in CR LF, as in RFC 4180.

    With a comma as decimal ``mark``, a semicolon separates the cells, as spreadsheets with that mark expect.

    Spreadsheets run a cell that begins with = + - @, a tab or a carriage return as a formula. A cell of *text* that
    does so, even after spaces, and such a column name get an apostrophe in front. Numbers are left as they are.
    """
    safe = table.copy(deep=False)
    safe.columns = pd.Index([neutralize(name) for name in table.columns])
    for position, dtype in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_datetime64_any_dtype(dtype)):
            cells = table.iloc[:, position].astype("object").map(neutralize, na_action="ignore")
            safe.isetitem(position, cells.to_numpy())
    # The writer quotes a cell for the characters of the line terminator alone, so the terminator has both of them.
    return safe.to_csv(index=False, lineterminator="\r\n", sep=";" if mark == "," else ",", decimal=mark)


def neutralize(cell: object) -> object:
    """Return ``cell`` with an apostrophe in front if it is text that a spreadsheet would run as a formula."""
    if isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA)):
        return "'" + cell
    return cell
