"""What happens beside bookings that run: lock files go, an editor saves, processes are killed, stopped and continued."""

import random
import signal
import threading
import time


class Trouble:
    """What happens beside the bookings, by fixed dice, until they have all ended."""

    def __init__(self, seed, lanes, asked, log, what):
        self.dice, self.lanes, self.asked, self.log = random.Random(seed), lanes, asked, log
        self.over = threading.Event()
        self.threads = [threading.Thread(target=getattr(self, name), daemon=True) for name in what]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def pause(self, most):
        self.over.wait(self.dice.random() * most)

    def delete_locks(self):
        while not self.over.is_set():
            (self.dice.choice(self.lanes[:2]).path / ".MANDATE.lock").unlink(missing_ok=True)
            self.pause(0.3)

    def save_records(self):
        """An editor that knows no lock: reads, adds a line to the text, saves by rename, in the last lane."""
        record, fresh = self.lanes[-1].record, self.lanes[-1].path / ".edit"
        while not self.over.is_set():
            fresh.write_bytes(record.read_bytes() + b"a note\n")
            fresh.rename(record)
            self.pause(0.05)

    def send(self, one, number):
        """Not before the tracer has it: strace waits for ever for a process that went away while it came."""
        log = self.log / f"p.{one.process.pid}"
        while one.process.poll() is None and not (log.exists() and log.stat().st_size):
            time.sleep(0.001)
        if one.process.poll() is None:
            one.process.send_signal(number)

    def kill(self):
        for one in self.dice.sample(self.asked, len(self.asked) // 4):
            self.pause(0.02)
            one.killed = True
            self.send(one, signal.SIGKILL)

    def stop_and_go_on(self):
        for one in self.dice.sample(self.asked, len(self.asked) // 4):
            self.send(one, signal.SIGSTOP)
            self.pause(0.02)
            self.send(one, signal.SIGCONT)
