"""States of which a part was lost once."""
