"""`python -m serq` is the command `serq`."""

from serq.cli.main import main

if __name__ == "__main__":
    main()
