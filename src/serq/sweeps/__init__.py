"""A program run over a grid of its constants: the grid, the runs, the table, the figure."""
