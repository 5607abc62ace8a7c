"""Parts of `tools/generate_mpi_table.py`: what the calls mean, what their parameters are for, how the header looks."""
