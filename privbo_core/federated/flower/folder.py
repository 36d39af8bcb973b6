"""The folder that somebody starts from: a Flower app, the public settings, an agent's own file."""

from pathlib import Path

from privbo_core.errors import DataError

APP = '''"""The two halves of the federation. federation.toml beside this file is public to all agents."""

from pathlib import Path

from privbo_core.federated.flower.apps import client_app, server_app

SETTINGS = Path(__file__).with_name("federation.toml")
server = server_app(SETTINGS)
client = client_app(SETTINGS)
'''
PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "federation"
version = "1.0.0"
description = "Private federated Bayesian optimisation"
license = "MIT"
dependencies = []

[tool.flwr.app]
publisher = "privbo"
fab-include = ["**/*.py", "**/*.toml"]

[tool.flwr.app.components]
serverapp = "privbo_app:server"
clientapp = "privbo_app:client"

[tool.flwr.app.config]
ledger = "ledger.jsonl"  # on the server's machine; all runs with the same agents belong into one
"""
SETTINGS = """# Public to all agents. Nothing in it may be chosen by looking at anybody's values.

[[inputs]]               # what may be asked for: every combination of the levels
name = "dose"
low = 0.0
high = 10.0
levels = 32

[[inputs]]
name = "hours"
low = 1.0
high = 24.0
levels = 24

[model]
kernel = "squared exponential"  # or "matern 5/2"
lengthscale = 0.2               # a share of each input's range
variance = 1.0
noise_variance = 0.01
centre = 0.0                    # an outcome y counts as (y - centre)/scale
scale = 1.0

[search]
rounds = 40
initial = 5              # settings that each agent tries by itself before the first round
features = 50
feature_seed = 1         # of the random features that all share; no noise comes of it
regions = 2              # 1, 2, 4, 8, ...: parts of the domain, each explored by some of the agents
decay = 0.5              # an agent follows the server in round t with probability t^-decay

[privacy]
agents = 200             # the whole population, whether they take part or not
q = 0.25                 # the server selects each agent with this probability in each round, in secret
clip = 11.0
delta = 0.001
epsilon = 4.0            # of all rounds together: the noise follows from it. Or say z, the noise multiplier
budget = 4.0             # the server stops before a round that would exceed it

[time]
wait = 120               # seconds for all agents to appear
round = 600              # seconds for their answers to a round; later ones are left out
steady = false           # true: a round always takes that long, so that its length tells nobody who was there
"""
AGENT = """# One agent's own file, on its own machine: nothing in it is sent, except the number.
agent = 0                       # its number, 0 to N - 1; each agent has another one
objective = "objective:score"   # a function in a Python file: takes {"dose": 2.5, "hours": 7.0}, returns a number
# command = "python3 try.py"    # or a program: gets dose=2.5 hours=7.0 as arguments, prints a number last
# seconds = 3600                # after which a command is stopped
folder = "."                    # where objective.py is, where a command runs and the notebook lies
notebook = "agent-0.jsonl"      # what this agent has tried; it goes on from there
# best = 1.0                    # the best outcome that there can be, only if its regret may be shown to others
"""
OBJECTIVE = '''"""The objective of one agent: put your own measurement here. Its data stay on this machine."""


def score(setting: dict[str, float]) -> float:
    """Return the outcome at a setting; larger is better."""
    return 1.0 - ((setting["dose"] - 4.0) / 10.0) ** 2 - ((setting["hours"] - 9.0) / 23.0) ** 2
'''
HOME = """[superlink]
default = "local"

[superlink.local]
address = "127.0.0.1:{port}"
insecure = true
"""
PARTS = {
    "app/privbo_app.py": APP,
    "app/pyproject.toml": PROJECT,
    "app/federation.toml": SETTINGS,
    "agent/agent.toml": AGENT,
    "agent/objective.py": OBJECTIVE,
}


def write_folder(path: str | Path, port: int = 8000) -> None:
    """Write a federation to start from into a folder that is new or empty. Raises DataError otherwise."""
    folder = Path(path)
    try:
        if folder.exists() and any(folder.iterdir()):
            raise DataError(f"{folder.name!r} has something in it already; name a new folder.")
        for name, text in {**PARTS, "home/config.toml": HOME.format(port=port)}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise DataError(f"The folder cannot be written: {fault.strerror or fault}.") from None
