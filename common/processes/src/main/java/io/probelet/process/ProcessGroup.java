package io.probelet.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ProcessDestroyer;
import org.jspecify.annotations.Nullable;

/**
 * A process that leads its own group. It has ended once its leader has been reaped, the rest of the
 * group has been killed (as a container ends with its first process), and its output has been read.
 *
 * <p>A descendant that creates its own session leaves the group and cannot be killed.
 */
public final class ProcessGroup {
  private final @Nullable Admission admission;
  private final GroupSignals signals;
  private final GroupStreams streams;
  private final CompletableFuture<Process> started = new CompletableFuture<>();
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();

  private ProcessGroup(ProcessOutput output, @Nullable Admission admission, GroupSignals signals) {
    this.admission = admission;
    this.signals = signals;
    streams = new GroupStreams(output, this::leaderReaped);
  }

  static ProcessGroup start(
      GroupCommand command,
      ProcessOutput output,
      @Nullable Admission admission,
      GroupSignals signals)
      throws IOException {
    ProcessGroup group = new ProcessGroup(output, admission, signals);
    Thread.ofVirtual().name("process-group").start(() -> group.execute(command));
    try {
      group.started.join();
      return group;
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case UncheckedIOException refused -> throw new IOException(refused.getMessage(), refused);
        case IOException missing -> throw new IOException(missing.getMessage(), missing);
        case Error noThread -> throw noThread;
        case null, default -> throw failed;
      }
    }
  }

  private void execute(GroupCommand command) {
    DefaultExecutor executor =
        DefaultExecutor.builder()
            .setWorkingDirectory(command.workingDir())
            .setExecuteStreamHandler(streams)
            .get();
    executor.setExitValues(null); // any cause will do
    executor.setProcessDestroyer(new Watch());
    CommandLine line = new CommandLine(command.words().getFirst());
    command.words().stream().skip(1).forEach(word -> line.addArgument(word, false));
    try {
      executor.execute(line, command.env());
    } catch (IOException | RuntimeException | Error failed) {
      started.completeExceptionally(failed); // if it ran, only a pipe did not close
    }
  }

  /** Called by the executor when the process has started, and when everything has ended. */
  private final class Watch implements ProcessDestroyer {
    @Override
    public boolean add(Process leader) {
      try {
        if (admission != null) {
          admission.enter(leader.pid());
        }
      } catch (IOException refused) {
        throw new UncheckedIOException(refused.getMessage(), refused);
      }
      streams.open(admission != null);
      return started.complete(leader);
    }

    @Override
    public boolean remove(Process leader) {
      if (started.isDone()) {
        return ended.complete(leader.exitValue());
      }
      signals.kill(leader.pid()); // it was not admitted, or its output could not be read
      left(leader.pid());
      return false;
    }

    @Override
    public int size() {
      return 1;
    }
  }

  private void leaderReaped() {
    signals.killLeftovers(pid());
    left(pid());
  }

  private void left(long group) {
    if (admission != null) {
      admission.left(group);
    }
  }

  private Process leader() {
    return started.join();
  }

  /** {@return the process id of the leader, which is the group's number} */
  public long pid() {
    return leader().pid();
  }

  /** {@return whether it still runs} */
  public boolean isAlive() {
    return !ended.isDone();
  }

  /** Sends TERM to the whole group, so that a shell around the program cannot swallow it. */
  public void terminate() {
    if (leader().isAlive()) {
      signals.terminate(pid());
    }
  }

  /** Sends KILL to the whole group. */
  public void kill() {
    if (leader().isAlive()) {
      signals.kill(pid());
    }
  }

  /**
   * Runs an action when the group has ended.
   *
   * @param action receives the exit code: 128 + n for signal n
   */
  public void whenEnded(IntConsumer action) {
    CompletableFuture<Void> _ = ended.thenAccept(action::accept);
  }

  /**
   * Passes standard output to its receiver, on the calling thread, up to its end. Call it once, if
   * the output was declared as read by the caller.
   */
  public void readOutput() {
    streams.readOutput();
  }

  /**
   * Waits for the end.
   *
   * @return the exit code: 128 + n for signal n
   * @throws InterruptedException if the thread was interrupted; the group keeps running
   */
  public int waitFor() throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException impossible) {
      throw new AssertionError("an end is never exceptional", impossible);
    }
  }

  /**
   * Waits for the end, and kills the group on timeout.
   *
   * @return the exit code, 128 + n for signal n; empty if it was killed
   * @throws InterruptedException if the thread was interrupted; the group was killed
   */
  public OptionalInt endWithin(Duration timeout) throws InterruptedException {
    try {
      boolean inTime = leader().waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (!inTime) {
        kill();
      }
      int exitCode = waitFor();
      return inTime ? OptionalInt.of(exitCode) : OptionalInt.empty();
    } catch (InterruptedException gaveUp) {
      kill();
      throw gaveUp;
    }
  }
}
