"""The commands of this room: conform, check-state, vectors."""
