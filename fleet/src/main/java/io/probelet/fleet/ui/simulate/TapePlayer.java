package io.probelet.fleet.ui.simulate;

import io.probelet.document.field.Problem;
import io.probelet.health.GoDuration;
import io.probelet.nodehealth.rehearsal.Candidate;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.TapeRehearsal;
import io.probelet.nodehealth.tape.TapeException;
import io.probelet.nodehealth.tape.TapeReader;
import io.probelet.web.http.Resource.BadRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Plays the tape of this page, read anew each time: once at a time, for 30 s at most, on a thread
 * of its own. May be called by several threads.
 */
public final class TapePlayer {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Rehearsal rehearsal;
  private final Duration timeout;
  private final Semaphore playing = new Semaphore(1);

  /** Plays, until its end or until it is interrupted. */
  interface Rehearsal {
    Comparison play(List<Candidate> candidates, Duration heals)
        throws TapeException, InterruptedException;
  }

  TapePlayer(Rehearsal rehearsal, Duration timeout) {
    this.rehearsal = rehearsal;
    this.timeout = timeout;
  }

  /**
   * Checks that a file begins as a tape does.
   *
   * @throws IOException if it is none; the message is for the user
   */
  public static TapePlayer of(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(file + ": is not a regular file, which is read for each play");
    }
    try (TapeReader _ = TapeReader.open(file)) {
      return new TapePlayer((candidates, heals) -> play(file, candidates, heals), TIMEOUT);
    } catch (TapeException wrong) {
      throw new IOException(words(wrong), wrong);
    }
  }

  private static Comparison play(Path file, List<Candidate> candidates, Duration heals)
      throws TapeException, InterruptedException {
    try (TapeReader tape = TapeReader.open(file)) {
      return TapeRehearsal.play(tape, candidates, heals);
    }
  }

  /** With the line at which it is wrong. */
  private static String words(TapeException wrong) {
    List<Problem> problems = wrong.problems();
    String first = problems.getFirst().toString();
    return problems.size() == 1 ? first : first + "; and " + (problems.size() - 1) + " more";
  }

  /**
   * Plays the tape.
   *
   * @param heals how long a remediation is taken to need until its node is healthy
   * @throws BadRequest if it is being played already, takes too long, or cannot be read any more
   * @throws InterruptedException if the caller is interrupted; it is then played no further
   */
  Comparison play(List<Candidate> candidates, Duration heals)
      throws BadRequest, InterruptedException {
    if (!playing.tryAcquire()) {
      throw new BadRequest("the tape is already playing; retry in a moment");
    }
    FutureTask<Comparison> task = new FutureTask<>(() -> rehearsal.play(candidates, heals));
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("tape")
            .start(() -> {
              try {
                task.run();
              } finally {
                playing.release(); // not before it has really ended
              }
            });
    try {
      Comparison comparison = task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      thread.join(); // free for the next request
      return comparison;
    } catch (TimeoutException e) {
      throw new BadRequest(
          "playing the tape took longer than %s and was stopped; use probelet simulate --tape"
              .formatted(GoDuration.format(timeout)));
    } catch (ExecutionException e) {
      thread.join();
      if (e.getCause() instanceof TapeException wrong) {
        throw new BadRequest("the tape cannot be played: " + words(wrong));
      }
      throw new IllegalStateException("the tape cannot be played", e.getCause());
    } finally {
      task.cancel(true);
    }
  }
}
