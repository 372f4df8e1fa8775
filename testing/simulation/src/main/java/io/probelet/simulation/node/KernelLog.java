package io.probelet.simulation.node;

import io.probelet.monitor.source.KmsgSource.KernelRecords;
import io.probelet.monitor.source.LineSource;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The kernel's log of a simulated node: records of the kernel, and those that tenants wrote to
 * {@code /dev/kmsg}, which the kernel marks. A boot begins a new one.
 */
public final class KernelLog {
  /** The kernel's buffer holds so many records; older ones are lost. */
  private static final int MOST = 500;

  private static final int KERNEL_WARNING = 4;

  /** The priority of a program's record, whichever it asks for. */
  private static final int USER_WARNING = 12;

  private static final int NANOS_PER_MICRO = 1_000;

  private final Supplier<Machine> machine;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private final List<Reader> readers = new ArrayList<>();
  private long next;

  /** A record with its number, as the device has it. */
  private record Entry(long sequence, String line) {}

  /** What the kernel reports of real trouble, in its own words. */
  public enum Problem {
    /** A task hangs. */
    TASK_HUNG("INFO: task jbd2/sda1-8:312 blocked for more than 120 seconds."),
    /** A processor is locked up. */
    SOFT_LOCKUP("watchdog: BUG: soft lockup - CPU#2 stuck for 23s! [kworker/2:1:77]"),
    /** The kernel has a bug. */
    OOPS("BUG: kernel NULL pointer dereference, address: 0000000000000008"),
    /** A filesystem is corrupt. */
    EXT4_ERROR(
        "EXT4-fs error (device sda1): ext4_find_entry:1463: inode #2: comm kubelet: reading directory"
            + " lblock 0"),
    /** A filesystem was made read-only. */
    READ_ONLY("EXT4-fs (sda1): Remounting filesystem read-only"),
    /** A filesystem of another kind was shut down. */
    XFS_SHUTDOWN("XFS (sda1): Log I/O Error Detected. Shutting down filesystem"),
    /** The hardware reports an error that cannot be corrected. */
    HARDWARE_ERROR("{1}[Hardware Error]: event severity: fatal"),
    /** A processor waits for another. */
    RCU_STALL("rcu: INFO: rcu_sched self-detected stall on CPU"),
    /** A disk does not respond. */
    IO_ERROR("I/O error, dev sdb, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2"),
    /** A process was killed for lack of memory. */
    OUT_OF_MEMORY(
        "Memory cgroup out of memory: Killed process 4711 (app) total-vm:812340kB,"
            + " anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:900kB"
            + " oom_score_adj:900");

    private final String text;

    Problem(String text) {
      this.text = text;
    }

    /** {@return the kernel's words} */
    public String text() {
      return text;
    }
  }

  KernelLog(Supplier<Machine> machine) {
    this.machine = machine;
  }

  void booted() {
    entries.clear();
    readers.clear();
    next = 0;
    kernel("Linux version 6.12.0");
  }

  /** The kernel reports something. */
  public void kernel(String text) {
    add(KERNEL_WARNING, text);
  }

  /** A tenant's container writes to {@code /dev/kmsg}. */
  private void foreign(String text) {
    add(USER_WARNING, text);
  }

  /**
   * A tenant forges the report of a problem: by a record of its own, or by the name of a process
   * that the kernel then reports.
   */
  public void forge(Problem problem, RandomGenerator random) {
    String name = problem.text().substring(0, Math.min(15, problem.text().length()));
    switch (random.nextInt(3)) {
      case 0 -> foreign(problem.text());
      case 1 -> kernel(name + "[4242]: segfault at 0 ip 00007f00 sp 00007fff error 4 in app[1000]");
      default ->
          kernel(
              "Memory cgroup out of memory: Killed process 99 (%s) total-vm:1kB".formatted(name));
    }
  }

  private void add(int priority, String text) {
    long micros = machine.get().monotonic() / NANOS_PER_MICRO;
    Entry entry = new Entry(next, "%d,%d,%d,-;%s".formatted(priority, next, micros, text));
    next++;
    entries.add(entry);
    if (entries.size() > MOST) {
      entries.remove();
    }
    readers.forEach(Reader::wake);
  }

  /**
   * Opens it.
   *
   * @param process reads on its threads
   * @param stampsBegin when the kernel's timestamps begin, by the wall clock
   * @param position of an earlier reader of the same boot; else empty
   */
  public LineSource open(SimulatedProcess process, Instant stampsBegin, String position) {
    return new Reader(process, stampsBegin, position);
  }

  /** {@return how long the machine has been awake since its boot} */
  public Duration awake() {
    return Duration.ofNanos(machine.get().monotonic());
  }

  private final class Reader implements LineSource {
    private final SimulatedProcess process;
    private final Instant stampsBegin;
    private String position;
    private long read = -1;
    private CompletableFuture<Void> news = new CompletableFuture<>();
    private boolean closed;

    Reader(SimulatedProcess process, Instant stampsBegin, String position) {
      this.process = process;
      this.stampsBegin = stampsBegin;
      this.position = position;
    }

    void wake() {
      news.complete(null);
    }

    @Override
    public void run(Sink sink) throws InterruptedException {
      KernelRecords records = new KernelRecords(sink, stampsBegin, position);
      readers.removeIf(each -> each.process.isKilled());
      readers.add(this);
      try {
        pass(records);
        sink.upToDate();
        while (!closed) {
          news.get();
          pass(records);
        }
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      } finally {
        readers.remove(this);
      }
    }

    private void pass(KernelRecords records) {
      news = new CompletableFuture<>();
      for (Entry entry : List.copyOf(entries)) {
        if (entry.sequence() > read && !closed) {
          read = entry.sequence();
          records.line(entry.line(), process.wallTime());
          position = records.position();
        }
      }
    }

    @Override
    public String position() {
      return position;
    }

    @Override
    public void close() {
      closed = true;
      wake();
    }
  }
}
