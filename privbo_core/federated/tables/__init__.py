"""Long tables of many agents: what each of them was measured to be, or modelled, at points common to all."""
