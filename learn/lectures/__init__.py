"""The lectures: their texts, the pages that show them, and quizzes that are answered by running."""
