"""The commands of this room: conform, vectors."""
