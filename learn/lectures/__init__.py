"""The lectures: their texts, their pages, and quizzes whose answers are computed."""
