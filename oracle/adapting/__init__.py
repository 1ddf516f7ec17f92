"""Subjects whose methods, constructors and answers are not spelled as ours are: said by data, called here."""
