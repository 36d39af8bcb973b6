"""PrivBO: run with `streamlit run app.py`."""

import streamlit as st

if __name__ == "__main__":  # for each visitor, whenever a page is drawn
    from pages.parts.front_door import enter

    enter()
else:  # once, when the server starts
    from starlette.requests import Request
    from starlette.responses import Response

    from pages.parts.shell import server

    async def answered(request: Request) -> Response:
        """Answer a phone. What draws its screens can be imported only once the server runs."""
        from pages.parts.classroom.rooms import answered

        return await answered(request)

    routes = server.routes(("POST", server.ANSWERS, answered))
    app = st.App(__file__, lifespan=server.prepared, routes=routes, middleware=server.MIDDLEWARE)
