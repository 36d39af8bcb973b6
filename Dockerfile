# The app in a container: `docker build -t privbo .`, then `docker run --rm -p 127.0.0.1:8501:8501 privbo`.
# With `-e PRIVBO_DEMO=1` before the last word it is a demonstration for others: see docs/SERVER.md.

# The packages are put together in a stage of their own; pip and what it leaves behind stay there.
FROM python:3.11-slim AS packages
COPY requirements.txt /
RUN python -m venv /app/.venv \
    && /app/.venv/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: -r /requirements.txt \
    && /app/.venv/bin/pip uninstall --yes pip setuptools

FROM python:3.11-slim
# Without the limit on arenas, memory that one visitor's thread gave back would not be used for the next one's.
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MALLOC_ARENA_MAX=4
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin privbo \
    && /usr/local/bin/python -m pip uninstall --yes --root-user-action ignore pip setuptools wheel
WORKDIR /app
COPY --from=packages /app/.venv .venv
COPY app.py ./
COPY .streamlit .streamlit
COPY privbo_app privbo_app
COPY privbo_core privbo_core
COPY pages pages
COPY results results
COPY sample_data sample_data
COPY static static
# Nothing is written when it runs, so that what Python makes of the sources is made here.
RUN python -m compileall -q pages privbo_app privbo_core

USER 10001
# Hosts of containers set another port.
ENV PORT=8501
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/_stcore/health', timeout=4).close()"]
# All addresses of the container itself; `docker run -p` decides who outside gets there.
CMD ["sh", "-c", "exec python -m privbo_app --server.address 0.0.0.0 --server.port \"$PORT\""]
