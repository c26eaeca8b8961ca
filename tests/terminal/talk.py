"""Runs a command at a terminal of its own and answers its questions: talk.py DIALOGUE COMMAND...

DIALOGUE is a JSON list of [question, answer]: once the question was asked, and what is typed is not shown any more, the answer is typed. Prints one
JSON object: the exit code or the signal that ended the command, all that the terminal showed, and whether it shows what is typed afterwards.
"""

import fcntl
import json
import os
import select
import signal
import sys
import termios
import time


def shows_typing(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def main():
    dialogue, command = json.loads(sys.argv[1]), sys.argv[2:]
    # The other end stays open here, so that its settings can be looked at when the command is gone.
    terminal, other = os.openpty()
    process = os.fork()
    if process == 0:
        os.setsid()
        fcntl.ioctl(other, termios.TIOCSCTTY, 0)
        for stream in range(3):
            os.dup2(other, stream)
        os.closerange(3, 256)
        # Whatever runs the tests in the background may have it ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], command)
    shown, seen, ended = b"", 0, time.monotonic() + 300
    status = None
    while time.monotonic() < ended:
        if select.select([terminal], [], [], 0.02)[0]:
            shown += os.read(terminal, 65536)
            continue
        if dialogue:
            at = shown.find(dialogue[0][0].encode(), seen)
            if at >= 0 and not shows_typing(terminal):
                seen = at + len(dialogue[0][0])
                os.write(terminal, dialogue.pop(0)[1].encode())
                continue
        if status is None:
            done, found = os.waitpid(process, os.WNOHANG)
            status = found if done else None
        elif not select.select([terminal], [], [], 0.05)[0]:
            break
    else:
        os.kill(process, 9)
        status = os.waitpid(process, 0)[1]
    result = {
        "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "shown": shown.decode(errors="replace"),
        "shows_typing": shows_typing(other),
        "unanswered": len(dialogue),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
