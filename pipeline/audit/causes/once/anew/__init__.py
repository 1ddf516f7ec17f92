"""Results that were written anew, over those that were there."""
