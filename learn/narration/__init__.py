"""One sentence for each step: templates beside this file, by the lines of the text, and what fills them in.

A file has a template for each line that a paper prints, under its tag (`DABA fixup l.19`), and for lines of algorithms
that no paper lists, under the function and how the line begins (`Sliced.insert: newest.partial`).  Those lines are the
steps that the page goes through by default; a line without a template is a check of arguments, or inside of a helper.

A template is a sentence; for a condition it is two, `yes` and `no`, the first where its body runs next.  Between braces
stands a word of the state: a local variable (`{v}`), an attribute (`{s.clock}`, where `s` is the window), one of the
scene's own words (`{left}`, of `words_of`), or `{combined}`, the combine calls of the line and of what it calls.
"""
