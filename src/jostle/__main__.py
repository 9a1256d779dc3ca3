"""`python -m jostle`, where the command is not on the path."""

from jostle.cli.main import main

main()
