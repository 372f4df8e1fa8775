package io.probelet.monitor.source;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs a source on a thread and collects its lines. */
final class CollectedLines implements LineSource.Sink, AutoCloseable {
  final List<String> all = Collections.synchronizedList(new ArrayList<>());
  final List<String> foreign = Collections.synchronizedList(new ArrayList<>());
  final List<Instant> times = Collections.synchronizedList(new ArrayList<>());
  final List<String> gaps = Collections.synchronizedList(new ArrayList<>());
  volatile boolean upToDate;
  volatile String failure = "";
  private final LineSource source;
  private Thread thread;

  CollectedLines(LineSource source) {
    this.source = source;
    thread = Thread.ofPlatform().start(this::run);
  }

  private void run() {
    try {
      source.run(this);
    } catch (IOException failed) {
      failure = String.valueOf(failed.getMessage());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** After a failure. */
  void runAgain() throws InterruptedException {
    thread.join();
    failure = "";
    thread = Thread.ofPlatform().start(this::run);
  }

  @Override
  public void line(String text, Instant at) {
    all.add(text);
    times.add(at);
  }

  @Override
  public void foreignLine(String text, Instant at) {
    foreign.add(text);
    line(text, at);
  }

  @Override
  public void upToDate() {
    upToDate = true;
  }

  @Override
  public void gap(long lines, String why) {
    gaps.add(lines + " " + why);
  }

  @Override
  public void close() {
    source.close();
    try {
      if (!thread.join(Duration.ofMinutes(1))) {
        throw new AssertionError("the source did not end");
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
