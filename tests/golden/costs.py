"""The public registry of deployments."""

from privbo_core.privacy import registry


def entries():
    yield from deployments()


def deployments():
    found = registry()
    yield "costs/registry", [len(found.records), found.approved, len(found.with_epsilon)]
    for epsilon, each in found.with_epsilon:
        yield f"costs/registry/{each.name}, {each.curator}", [epsilon, each.delta, each.kind, each.year]
