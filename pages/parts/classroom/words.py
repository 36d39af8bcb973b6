"""What the class page says around its experiments."""

LEAD = (
    "Open a room, let the class come in with their phones, and play: everybody is attacked, attacks, and is one of the "
    "crowd. No accounts, no app; a nickname, if anybody likes."
)
KEPT = (
    "A room is in this server’s memory only. It holds a name for each phone and the answers of the experiment that is "
    "being played, and it ends when you end it, 20 minutes after you close this page (one, if nobody is in), or after two "
    "hours. Then nothing of it is left. Up to 60 phones from one network."
)
DOOR_CLOSED = "The door is closed: nobody else can come in."
FROM_HERE_ONLY = (
    "No phone can reach this address: it leads to this machine only. Start the app with "
    "`--server.address 0.0.0.0` and open it under this machine’s name or number in the network; or type that under *Room*."
)
CHOOSE = "Choose what to play. The phones follow."
OVER = "The room has ended. Nothing of it is kept."


def lose(playing: str) -> str:
    """Return what a teacher has to know before another experiment begins."""
    return f"“{playing}” ends then, and what the class has answered in it is gone."
