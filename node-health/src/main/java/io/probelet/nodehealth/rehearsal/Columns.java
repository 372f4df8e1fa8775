package io.probelet.nodehealth.rehearsal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Plays each column on its own thread, over one reading of the tape. Events are passed in batches,
 * of which only a few wait for each column, so the reader waits for the slowest.
 *
 * <p>Not thread-safe.
 */
final class Columns implements AutoCloseable {
  private static final int BATCH = 256;
  private static final int MAX_WAITING = 16;

  private final List<Player> players = new ArrayList<>();
  private List<TapeEvent> batch = new ArrayList<>(BATCH);

  /** A column and its waiting batches; an empty batch is the last. */
  private static final class Player {
    private final BlockingQueue<List<TapeEvent>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final FutureTask<Column> task;
    private final Thread thread;

    Player(Column column) {
      this.task = new FutureTask<>(() -> play(column));
      this.thread = Thread.ofPlatform().daemon().name("rehearsal").start(task);
    }

    private Column play(Column column) throws InterruptedException {
      for (List<TapeEvent> next = waiting.take(); !next.isEmpty(); next = waiting.take()) {
        for (TapeEvent cue : next) {
          if (Thread.interrupted()) { // a batch of a large cluster takes a while
            throw new InterruptedException();
          }
          column.take(cue);
        }
      }
      return column;
    }

    /** Waits for room, unless the column has failed. */
    void hand(List<TapeEvent> cues) throws InterruptedException {
      while (!waiting.offer(cues, 1, TimeUnit.SECONDS)) {
        if (task.isDone()) { // the column has failed
          result();
        }
      }
    }

    Column result() throws InterruptedException {
      try {
        return task.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a rehearsal column failed", e.getCause());
      }
    }
  }

  Columns(List<? extends Column> columns) {
    columns.forEach(column -> players.add(new Player(column)));
  }

  void take(TapeEvent cue) throws InterruptedException {
    batch.add(cue);
    if (batch.size() == BATCH) {
      handOver();
    }
  }

  /** Waits for all columns, and returns their results. */
  List<RehearsalTotals> finish(Instant end) throws InterruptedException {
    if (!batch.isEmpty()) {
      handOver();
    }
    handOver();
    List<RehearsalTotals> tallies = new ArrayList<>();
    for (Player player : players) {
      tallies.add(player.result().finish(end));
    }
    return tallies;
  }

  private void handOver() throws InterruptedException {
    List<TapeEvent> cues = batch;
    batch = new ArrayList<>(BATCH);
    for (Player player : players) {
      player.hand(cues);
    }
  }

  /** Ends the threads, even before the end of the tape. */
  @Override
  public void close() {
    players.forEach(player -> player.thread.interrupt());
  }
}
