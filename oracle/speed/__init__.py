"""What judging costs: beside the subject and the reference run bare, and of programs beside what a pipe carries."""
