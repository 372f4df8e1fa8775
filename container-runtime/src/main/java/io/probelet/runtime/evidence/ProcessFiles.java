package io.probelet.runtime.evidence;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what processes do from {@code /proc}. One that ends meanwhile is left out.
 *
 * @param proc where it is mounted; processes have the numbers of its namespace
 */
public record ProcessFiles(Path proc) {
  /** What this process sees, with the numbers of its own namespace. */
  public static final ProcessFiles OWN = new ProcessFiles(Path.of("/proc"));

  /** Most threads whose children are searched for. */
  private static final int MAX_TASKS = 8 * ContainerEvidence.MAX_THREADS;

  private static final Pattern PID = Pattern.compile("[0-9]{1,10}");

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
      for (Path thread : count.full() ? List.<Path>of() : threads(pid)) {
        if (!count.full()) {
          TaskStat.of(thread).ifPresent(count::add);
        }
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
   * {@return a process and its descendants, {@link #MAX_PROCESSES} at most; empty if it has ended,
   * if the kernel does not list children, or if there are too many threads to look at}
   *
   * @param pid the first of them
   */
  public List<Long> family(long pid) {
    List<Long> all = new ArrayList<>(List.of(pid));
    int tasks = 0;
    for (int next = 0; next < all.size() && all.size() < MAX_PROCESSES; next++) {
      List<Path> threads = threads(all.get(next));
      tasks += threads.size();
      List<String> lists =
          threads.stream()
              .map(thread -> KernelText.of(thread.resolve("children")))
              .flatMap(Optional::stream)
              .toList();
      if (tasks > MAX_TASKS || (next == 0 && lists.isEmpty())) {
        return List.of();
      }
      lists.stream()
          .flatMap(list -> list.lines())
          .flatMap(list -> Stream.of(list.strip().split(" ", -1)))
          .filter(child -> PID.matcher(child).matches())
          .limit(MAX_PROCESSES - all.size())
          .forEach(child -> all.add(Long.parseLong(child)));
    }
    return all;
  }

  /** {@return the threads of a process, one more than are looked at; none if it has ended} */
  private List<Path> threads(long pid) {
    List<Path> threads = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(process(pid).resolve("task"))) {
      Iterator<Path> each = all.iterator();
      while (threads.size() <= MAX_TASKS && each.hasNext()) {
        threads.add(each.next());
      }
      return threads;
    } catch (IOException | DirectoryIteratorException ended) {
      return List.of();
    }
  }

  /**
   * {@return the same of a container of a runtime; empty if the process is not in its group,
   * because the number belongs to another process by now}
   *
   * @param pid the first process of the container; 0 if that is unknown
   * @param group the name of the container's control group
   */
  public List<Long> family(long pid, String group) {
    boolean inGroup =
        pid > 0
            && KernelText.of(process(pid).resolve("cgroup"))
                .filter(groups -> List.of(groups.split("[/\n]", -1)).contains(group))
                .isPresent();
    return inGroup ? family(pid) : List.of();
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

    boolean full() {
      return seen == ContainerEvidence.MAX_THREADS;
    }

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
