from typing import Any

PROTOTYPES: dict[str, tuple[Any, list[Any]]]

def __getattr__(name: str) -> Any: ...
