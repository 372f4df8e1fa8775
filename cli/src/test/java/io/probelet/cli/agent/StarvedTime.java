package io.probelet.cli.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How long threads that could have run had to wait for a processor since this was made: those of
 * this JVM, and those of an agent. It is next to nothing on a machine of one's own, and what is
 * taken off a bound where others use the machine, too. On Linux; elsewhere it is nothing.
 */
public final class StarvedTime {
  private final Duration before = waited("self");

  /** For this JVM since this was made, and for an agent since its start. */
  public Duration with(AgentUnderTest agent) {
    return waited("self").minus(before).plus(waited(Long.toString(agent.pid())));
  }

  private static Duration waited(String process) {
    Path threads = Path.of("/proc", process, "task");
    if (!Files.isDirectory(threads)) {
      return Duration.ZERO;
    }
    try (Stream<Path> all = Files.list(threads)) {
      return all.map(StarvedTime::ofThread).reduce(Duration.ZERO, Duration::plus);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Duration ofThread(Path thread) {
    try {
      String[] ranAndWaited = Files.readString(thread.resolve("schedstat")).split(" ", -1);
      return Duration.ofNanos(Long.parseLong(ranAndWaited[1]));
    } catch (IOException ended) {
      return Duration.ZERO;
    }
  }
}
