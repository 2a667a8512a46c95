"""The lock as its users meet it: who holds it, for how long, and what a killed holder leaves behind."""

import os
import signal
import subprocess
import time

from fault_support import check, finish, lane

# Holds the lock of the current directory until it is killed, and says when it has it.
HOLDER = "import fcntl,sys,time\nf=open('.MANDATE.lock','r+')\nfcntl.flock(f,2)\nprint('held',flush=True)\ntime.sleep(600)\n"


def hold(here, prefix=()):
    holder = subprocess.Popen([*prefix, "python3", "-c", HOLDER], cwd=here.path, stdout=subprocess.PIPE, text=True)
    check(holder.stdout.readline() == "held\n", "the holder holds")
    return holder


def waits_for_the_timeout():
    with lane() as here:
        holder = hold(here)
        before = here.record.read_bytes()
        refused = here.run("round", "--lock-timeout", "1")
        check(refused.exit == 4 and refused.value("error") == "lock-held", "held for the whole timeout", refused)
        check(refused.value("holder_pid") == str(holder.pid), "the holder is named", refused)
        check("python3" in refused.err and refused.err.count("\n") == 2, "waiting adds one line", refused)
        check(here.run("round", "--lock-timeout", "0").value("error") == "lock-held", "0 does not wait")
        check(here.record.read_bytes() == before, "nothing was booked")
        holder.kill()
        holder.wait()
        check(here.run("round").value("round") == "1", "the kernel freed the lock")


def goes_on_when_the_holder_dies():
    with lane() as here:
        holder = hold(here)
        waiter = here.popen("round", "--lock-timeout", "60")
        line = waiter.stderr.readline()
        check(str(holder.pid) in line, "after 0.3 s one line says who is waited for", line)
        os.kill(holder.pid, signal.SIGKILL)
        answer = finish(waiter)
        check(answer.value("round") == "1", "the waiter goes on", answer)
        holder.wait()


def an_unseen_holder_is_unknown():
    with lane() as here:
        holder = hold(here)
        refused = here.run("round", "--lock-timeout", "0", prefix=("unshare", "-p", "-f", "--mount-proc"))
        check(refused.value("error") == "lock-held", "held although the pid is invisible", refused)
        check(refused.value("holder_pid") is None and "unknown holder" in refused.err, "an unknown holder", refused)
        holder.kill()
        holder.wait()


def ends_at_once_by_the_signal():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with lane() as here:
            holder = hold(here)
            before = sorted(p.name for p in here.path.iterdir())
            waiter = here.popen("round", "--lock-timeout", "60")
            waiter.stderr.readline()
            waiter.send_signal(number)
            answer = finish(waiter)
            check(answer.exit == -number, "ended by the signal", answer)
            check(sorted(p.name for p in here.path.iterdir()) == before, "nothing is left")
            holder.kill()
            holder.wait()


def what_stands_in_its_place():
    makers = {
        "lock-directory": lambda p: os.mkdir(p),
        "lock-symlink": lambda p: os.symlink("/nonexistent", p),
        "lock-not-regular": lambda p: os.mkfifo(p),
    }
    for code, make in makers.items():
        with lane() as here:
            path = here.path / ".MANDATE.lock"
            path.unlink()
            make(path)
            kind = os.lstat(path).st_mode
            refused = here.run("round")
            check(refused.exit == 4 and refused.value("error") == code, code, refused)
            check(os.lstat(path).st_mode == kind, "it is not touched")
            if code == "lock-directory":
                command = refused.err[refused.err.index("rm -rf"):].strip()
                subprocess.run(["sh", "-c", command], check=True)
                check(here.run("round").value("round") == "1", "the command that is named mends it", command)


def age_and_content_do_not_matter():
    for age in (0, 30 * 86400):
        with lane(budget=8) as here:
            path = here.path / ".MANDATE.lock"
            path.write_text("pid 1\nstale\n")
            os.utime(path, (time.time() - age,) * 2)
            inode = path.stat().st_ino
            answers = [finish(p) for p in [here.popen("round", "--lock-timeout", "60") for _ in range(8)]]
            check(sorted(a.value("round") for a in answers) == [str(n) for n in range(1, 9)], "eight rounds", answers)
            check(path.stat().st_ino == inode and path.read_text() == "pid 1\nstale\n", "the file stays as it is")


def an_ancestor_holds_it():
    with lane() as here:
        script = "exec 9<.MANDATE.lock; flock 9; \"$0\" round --lock-timeout 0; exit $?"
        refused = subprocess.run(["bash", "-c", script, os.environ["MANDATE_BINARY"]], cwd=here.path, env=here.env,
                                 capture_output=True, text=True)
        check(refused.returncode == 4 and "ancestor" in refused.stderr, "held by an ancestor", refused)


for case in (waits_for_the_timeout, goes_on_when_the_holder_dies, an_unseen_holder_is_unknown, ends_at_once_by_the_signal,
             what_stands_in_its_place, age_and_content_do_not_matter, an_ancestor_holds_it):
    case()
    print("ok", case.__name__)
