"""The commands of this room: replay, audit, stream, explore."""
