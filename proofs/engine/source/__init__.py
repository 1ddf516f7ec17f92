"""What is done to the text of a method before it is rewritten."""
