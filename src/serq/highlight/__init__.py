"""Colours for serQ's text: one table of rules, `serq.highlight.rules`, made of the words of
`serq.vocabulary`; a Pygments lexer and a TextMate grammar are translations of it. Depends on the
vocabulary; the lexer needs Pygments and is loaded where it is used.
"""
