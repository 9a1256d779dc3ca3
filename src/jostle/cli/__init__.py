"""The command line: one module for each command, and the frame they share."""
