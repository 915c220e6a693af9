"""`application` for any WSGI server, in a checkout; installed, it is `chatcore.wsgi:application`.

Run as a script, it serves with gevent.
"""

import sys

from chatcore.wsgi import LazyApplication, application, choose_run_blocking, choose_wait_for_socket, main

__all__ = ["LazyApplication", "application", "choose_run_blocking", "choose_wait_for_socket", "main"]

if __name__ == "__main__":
    sys.exit(main())
