"""The words of the language, as tables: keywords, functions, context variables and their
moments, distributions, built-in attributes. Parser, linker, engines and documentation read
these tables; no list of words is kept by hand anywhere else. Depends on nothing of ours.
"""
