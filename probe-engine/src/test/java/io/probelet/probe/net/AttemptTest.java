package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.Attempt.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  @Test
  @DisplayName("the first outcome counts; what is held is closed before it is given")
  void once() {
    List<String> happened = new ArrayList<>();
    ProbeOutcome outcome =
        PROBING.outcome(done -> {
          Attempt attempt =
              begin(
                  Probing.TIMEOUT,
                  given -> {
                    happened.add("given");
                    done.accept(given);
                  });
          attempt.restart(Phase.CONNECTING, () -> happened.add("closed"));
          attempt.end(new Success("first"));
          attempt.end(new Success("second"));
        });
    assertThat(outcome.verdict()).isEqualTo(new Success("first"));
    assertThat(happened).containsExactly("closed", "given");
  }

  @ParameterizedTest
  @EnumSource(Phase.class)
  @DisplayName("a timeout says in which phase it struck")
  void timeout(Phase phase) {
    ProbeOutcome outcome =
        PROBING.outcome(done -> begin(Duration.ofMillis(1), done).restart(phase, () -> {}));
    assertThat(outcome.verdict()).isEqualTo(new Failure("timeout in " + phase));
  }

  @Test
  @DisplayName("an attempt that ended in time does not time out afterwards")
  void noTimeoutAfterwards() throws Exception {
    List<Verdict> verdicts = new ArrayList<>();
    CompletableFuture<Void> later = new CompletableFuture<>();
    PROBING
        .dialer()
        .loop()
        .eventLoop()
        .execute(() -> {
          begin(Duration.ofMillis(1), outcome -> verdicts.add(outcome.verdict()))
              .end(new Success(""));
          PROBING.dialer().loop().schedule(Duration.ofMillis(5), () -> later.complete(null));
        });
    later.get();
    assertThat(verdicts).containsExactly(new Success(""));
  }

  @Test
  @DisplayName("a new connection closes the previous one and restarts its timestamps")
  void restart() {
    List<String> closed = new ArrayList<>();
    ProbeOutcome outcome =
        PROBING.outcome(done -> {
          Attempt attempt = begin(Probing.TIMEOUT, done);
          attempt.restart(Phase.RESOLVING, () -> closed.add("one"));
          attempt.enter(Phase.CONNECTING);
          attempt.enter(Phase.SECURING);
          attempt.enter(Phase.WAITING);
          attempt.restart(Phase.CONNECTING, () -> closed.add("two"));
          assertThat(closed).containsExactly("one");
          attempt.enter(Phase.WAITING);
          attempt.enter(Phase.READING);
          attempt.end(new Success(""));
        });
    assertThat(closed).containsExactly("one", "two");
    assertThat(outcome.timings().resolved()).isNegative();
    assertThat(outcome.timings().secured()).isNegative();
    assertThat(outcome.timings().connected()).isBetween(0L, outcome.timings().firstByte());
  }

  private static Attempt begin(Duration timeout, Consumer<ProbeOutcome> done) {
    return Attempt.begin(
        PROBING.dialer().loop(), timeout, phase -> new Failure("timeout in " + phase), done);
  }
}
