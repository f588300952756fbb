"""What `collate doctor` looks at, one module a subject; each returns plain dictionaries, and report.py puts them together."""
