"""The documentation site, built offline of what lies in the repository.

The pages of `docs/` are plain Markdown that a code host shows as they are. The site is made of
them, of the conformance suite, of the pages of the error codes and of the examples: `staging`
copies them into one tree with links that fit it, `places` says where each goes, `navigation`
makes the side bar of what index pages link to, the other modules write pages that are generated,
and Sphinx renders the tree under `docs/conf.py`. `python -m tools.site` does it all.
"""
