package io.probelet.runtime.evidence;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Reads what processes do from {@code /proc}. One that ends meanwhile is left out.
 *
 * @param proc where it is mounted; it must be of this process' own namespace
 */
public record ProcessFiles(Path proc) {
  /** What this process sees. */
  public static final ProcessFiles OWN = new ProcessFiles(Path.of("/proc"));

  /** Most processes of a container that are looked at; each has a thread at least. */
  static final int MAX_PROCESSES = ContainerEvidence.MAX_THREADS;

  /**
   * {@return what their threads do, of {@link ContainerEvidence#MAX_THREADS} at most; empty if none
   * can be read}
   *
   * @param pids the processes of a container
   */
  public Optional<ThreadStates> threads(List<Long> pids) {
    ThreadCount count = new ThreadCount();
    for (long pid : pids) {
      if (count.seen == ContainerEvidence.MAX_THREADS) {
        break;
      }
      Path tasks = process(pid).resolve("task");
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
        Iterator<Path> each = threads.iterator();
        while (count.seen < ContainerEvidence.MAX_THREADS && each.hasNext()) {
          TaskStat.of(each.next()).ifPresent(count::add);
        }
      } catch (IOException | DirectoryIteratorException ended) {
        // its other threads have ended with it
      }
    }
    return count.seen == 0 ? Optional.empty() : Optional.of(count.states());
  }

  /**
   * {@return the CPU time they and their ended children have used, in milliseconds; empty if none
   * can be read}
   *
   * @param pids the processes of a container
   */
  public OptionalLong cpuMillis(List<Long> pids) {
    List<TaskStat> read =
        pids.stream().map(pid -> TaskStat.of(process(pid))).flatMap(Optional::stream).toList();
    return read.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(read.stream().mapToLong(TaskStat::cpuMillis).sum());
  }

  /**
   * {@return the TCP ports on which they listen, or any process in their network if that is not the
   * node's; empty if that cannot be read}
   *
   * @param pids the processes of a container
   */
  public Optional<List<Integer>> listening(List<Long> pids) {
    return new ListeningPorts(proc).of(pids);
  }

  /**
   * {@return a process of this machine and its descendants, {@link #MAX_PROCESSES} at most; empty
   * if it has ended}
   *
   * @param pid the first of them
   */
  public List<Long> family(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(first -> Stream.concat(Stream.of(first), first.descendants()))
        .limit(MAX_PROCESSES)
        .map(ProcessHandle::pid)
        .toList();
  }

  private Path process(long pid) {
    return proc.resolve(Long.toString(pid));
  }

  /** Counts threads by state. */
  private static final class ThreadCount {
    private int running;
    private int sleeping;
    private int uninterruptible;
    private int stopped;
    private int zombies;
    private int seen;

    void add(TaskStat stat) {
      switch (stat.state()) {
        case 'R', 'W' -> running++;
        case 'S', 'I', 'P' -> sleeping++;
        case 'D', 'K' -> uninterruptible++;
        case 'T', 't' -> stopped++;
        case 'Z' -> zombies++;
        default -> {
          return; // X: gone
        }
      }
      seen++;
    }

    ThreadStates states() {
      return new ThreadStates(running, sleeping, uninterruptible, stopped, zombies);
    }
  }
}
