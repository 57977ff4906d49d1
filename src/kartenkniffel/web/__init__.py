"""The game in the browser: pages, live updates, JSON."""
