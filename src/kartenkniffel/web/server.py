"""Runs the web game on this machine until it is told to stop."""

from __future__ import annotations

import errno
import ipaddress
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import NoReturn

import platformdirs
import uvicorn
from starlette.applications import Starlette

from kartenkniffel.bots import LEVELS
from kartenkniffel.pad import Pads
from kartenkniffel.store import InUse, Store, StoreError, open_store
from kartenkniffel.table import Tables
from kartenkniffel.web.app import create_app
from kartenkniffel.web.lan import lan_host, qr_for_terminal
from kartenkniffel.web.live import Hub

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""The names that a server which only this machine can reach answers to."""

ADDRESS_FILE = "address.txt"
"""Tells, in the data folder, where the game runs; only for the one who starts it twice."""

SILENCE_MS = 30_000
"""After so many milliseconds without an answer a connection is given up."""

EVERYWHERE = "0.0.0.0"
"""Listens on every network that the machine is in."""


class ServerError(ValueError):
    """The server cannot start; the message is one sentence that says why and what to do."""


def data_folder() -> Path:
    """Give the folder in which games are kept unless another is named."""
    return platformdirs.user_data_path("kartenkniffel", appauthor=False)


def serve(
    *,
    host: str,
    port: int,
    data: Path | None,
    open_browser: bool,
    pause: float,
    lan: bool = False,
    home: bool = True,
    public: str | None = None,
    behind_proxy: bool = False,
    keep_days: float | None = None,
) -> None:
    """Serve the game until Ctrl-C or SIGTERM; raises `ServerError` where it cannot start.

    ``pause`` is how many seconds a bot waits before its move; ``lan`` lets other devices in the
    same network play too, whatever ``host`` is. ``home`` says that somebody plays at this machine;
    ``public`` is the address that others use; ``behind_proxy`` believes what a proxy on this
    machine says of who asks. Finished games are cleared after ``keep_days``.
    """
    keep = None if keep_days is None else timedelta(days=keep_days)
    lan_name = _lan_name() if lan else None
    folder = data or data_folder()
    store = _open(folder)
    try:
        listener = _listen(EVERYWHERE if lan else host, port, "play" if home else "serve")
    except ServerError:
        store.close()
        raise
    signal.signal(signal.SIGTERM, _terminate)
    try:
        with Tables(store, LEVELS, pause=pause, keep=keep) as tables:
            with suppress(OSError):  # only a help for whoever starts it twice
                (folder / ADDRESS_FILE).write_text(_address(listener, host))
            own_name = EVERYWHERE if lan else host
            hosts = [*LOCAL_HOSTS, host] if home and _is_loopback(listener) else ["*"]
            lan_address = _address(listener, lan_name) if lan_name else None
            hub = Hub()
            app = create_app(
                tables,
                list(LEVELS),
                hosts=hosts,
                lan=lan_address,
                hub=hub,
                home=home,
                public=public,
                pads=Pads(store),
            )
            address = public or _address(listener, own_name)
            greeting = f"Karten-Kniffel: {address}  (Ctrl-C stops it)"
            if lan_address:
                greeting += "\n" + _lan_greeting(lan_address)
            config = _config(app, behind_proxy)
            _Server(config, hub, address, greeting, open_browser).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # Ctrl-C is how one stops the game: no error
    finally:
        store.close()
        listener.close()


def _config(app: Starlette, behind_proxy: bool) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        proxy_headers=behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1" if behind_proxy else None,
    )


def clear(data: Path | None, days: float) -> int:
    """Delete finished games, and tables never started, that have not changed for so many days.

    Gives how many; raises `ServerError` where the folder cannot be opened, as while a game runs.
    """
    store = _open(data or data_folder())
    try:
        return Tables(store, LEVELS).upkeep.clear(datetime.now(UTC) - timedelta(days=days))
    finally:
        store.close()


class _Server(uvicorn.Server):
    """A server that says where it is once it answers, and ends its streams when told to stop."""

    def __init__(
        self, config: uvicorn.Config, hub: Hub, address: str, greeting: str, open_browser: bool
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._address = address
        self._greeting = greeting
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        print(self._greeting, flush=True)
        if self._open_browser and _has_screen():
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._hub.close()
        super().handle_exit(sig, frame)


def _open(folder: Path) -> Store:
    try:
        return open_store(folder)
    except InUse as error:
        try:
            where = f" at {(folder / ADDRESS_FILE).read_text().strip()} (just open it)"
        except OSError:
            where = ""
        raise ServerError(
            f"the game is already running{where}; "
            "else stop it first, or name another folder with --data"
        ) from error
    except StoreError as error:
        raise ServerError(f"{error}; name another folder with --data") from error


def _terminate(sig: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


def _listen(host: str, port: int, command: str) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Named as TCP, or the event loop would not switch off the pause before small packets.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that fell silent is soon known to be gone
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_MS)
        listener.listen(1024)
    except OSError as error:
        raise ServerError(_cannot_listen(host, port, command, error)) from error
    except UnicodeError as error:
        raise ServerError(f"{host!a} is not an address of this machine") from error
    return listener


def _cannot_listen(host: str, port: int, command: str, error: OSError) -> str:
    free = f"--port {8080 if port != 8080 else 8081}"
    way = f'{free}, or make play ARGS="{free}"' if command == "play" else free
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program; choose another one: {way}"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used here; choose one above 1023: {way}"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host!a} is not an address of this machine; leave --host out or correct it"
    return f"port {port} cannot be opened: {error.strerror or error}"


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0].split("%")[0]).is_loopback


def _lan_name() -> str:
    host = lan_host()
    if host is None:
        raise ServerError(
            "this machine is in no network that others could come from; leave --lan out"
        )
    return host


def _lan_greeting(address: str) -> str:
    return (
        f"Other devices in the same network open {address}\n\n{qr_for_terminal(address)}\n"
        "This is plain http: others in the network could read along, and a browser then\n"
        "offers no notifications, no installing on the home screen and no use offline."
    )


def _address(listener: socket.socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    if host in (EVERYWHERE, "::", ""):
        shown = "localhost"
    return f"http://{shown}:{listener.getsockname()[1]}/"


def _has_screen() -> bool:
    """Tell whether a browser window can open; a text browser would take over the terminal."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
