"""A client for the page server that can be slow and wrong, and the server's memory."""

import asyncio
import pathlib

# Both time limits of the server, and time to close all connections on a busy machine.
PATIENCE = 60


def memory(pid: int) -> str:
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    fields = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if len(line.split()) > 1}
    handles = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
    return f"{int(fields['VmRSS']) // 1024} MiB (peak {int(fields['VmHWM']) // 1024}), {fields['Threads']} threads, {handles} files"


def peak(pid: int) -> int:
    return int(memory(pid).split("peak ")[1].split(")")[0])


def head(method: str, path: str, body: bytes = b"", headers=(), length: int | None = None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Connection: close", "Content-Type: application/json",
             f"Content-Length: {len(body) if length is None else length}", *headers]
    if not any(line.lower().startswith("host:") for line in headers):
        lines.append("Host: 127.0.0.1")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


async def exchange(port: int, data: bytes, slow: bool = False) -> str:
    """Sends bytes on a new connection: the answer's status, "closed" without an answer, or "open" after PATIENCE."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(PATIENCE):
            for at in range(0, len(data), 1 if slow else len(data)):
                writer.write(data[at:at + 1] if slow else data)
                await writer.drain()
                if slow:
                    await asyncio.sleep(1)
            line = await reader.readline()
            await reader.read()
            return line.split()[1].decode() if line else "closed"
    except TimeoutError:
        return "open"
    except (ConnectionError, IndexError):
        return "closed"
    finally:
        writer.close()
