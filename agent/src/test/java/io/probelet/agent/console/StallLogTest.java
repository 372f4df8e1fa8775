package io.probelet.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.VirtualLoop;
import io.probelet.web.api.AgentView;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What is said of the agent's own stalls. */
class StallLogTest {
  private static final String LONG = "agent stalled, discarding its probes ";
  private static final String SHORT = "agent stalled for less than 1 s, discarding its probes ";

  private final VirtualLoop loop = new VirtualLoop();
  private final StallLog log = new StallLog(loop.time());
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(StallLog.class);

  @BeforeEach
  void listen() {
    logger.setAdditive(false);
    logger.addAppender(lines);
    lines.start();
    tickEachSecond(log.of(loop));
  }

  /** A probe with a period of a second, each of whose ticks is a sample. */
  private void tickEachSecond(Consumer<Duration> samples) {
    long due = loop.time().nanoTime() + Duration.ofSeconds(1).toNanos();
    loop.at(
        due,
        () -> {
          samples.accept(Duration.ofNanos(loop.time().nanoTime() - due));
          tickEachSecond(samples);
        });
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
  }

  private void discarded(int probes) {
    for (int i = 0; i < probes; i++) {
      log.probed(
          new Probed(
              new ProbeSubject(new PodRef("shop", "p" + i, "u"), "web", ProbeKind.LIVENESS),
              "id",
              new ProbeOutcome(
                  new Verdict.ProberError(Verdict.Reason.STALLED, "stood still"),
                  ProbeTimings.of(1)),
              0,
              3,
              Duration.ZERO,
              Duration.ZERO));
    }
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  @DisplayName("W-20: a stall of 45 s is one line with its length and its discarded probes")
  void longStall() {
    loop.advance(Duration.ofMillis(10_500));
    discarded(1);
    loop.stall(Duration.ofSeconds(45));
    loop.execute(() -> discarded(29));
    loop.advance(Duration.ofSeconds(1));
    discarded(2);
    assertThat(said()).isEmpty();
    loop.advance(Duration.ofMinutes(5));
    assertThat(said()).containsExactly(LONG + "stalled_seconds=44.5 discarded=32");
    AgentView.Stalls past = log.past();
    assertThat(past.count()).isEqualTo(1);
    assertThat(past.seconds()).isEqualTo(44.5);
    assertThat(past.last()).endsWith("Z");
  }

  @ParameterizedTest
  @CsvSource({
    "3600, 'direction=forward step_seconds=3600.0'",
    "-3600, 'direction=back step_seconds=3600.0'",
    "1, 'direction=forward step_seconds=1.0'"
  })
  @DisplayName("W-20: a step of the wall clock is one line, and neither a stall nor counted as one")
  void clockStep(long seconds, String line) {
    tickEachSecond(log.of(loop)); // another loop's
    loop.advance(Duration.ofMillis(10_500));
    loop.time().stepWallClock(Duration.ofSeconds(seconds));
    loop.advance(Duration.ofMinutes(5));
    assertThat(said())
        .containsExactly("wall clock set, timers and probes are not affected " + line);
    assertThat(log.past()).isEqualTo(AgentView.Stalls.NONE);
  }

  @Test
  @DisplayName("W-20: a suspension is a stall of its length, and no step of the clock")
  void suspension() {
    loop.advance(Duration.ofMillis(10_500));
    loop.time().suspend(Duration.ofHours(1));
    loop.advance(Duration.ofMinutes(5));
    assertThat(said()).containsExactly(LONG + "stalled_seconds=3600.0 discarded=0");
    assertThat(log.past().count()).isEqualTo(1);
  }

  @Test
  @DisplayName("W-20: while no probe is due, neither a suspension nor a slewed clock is a line")
  void idle() {
    VirtualLoop quiet = new VirtualLoop();
    StallLog log = new StallLog(quiet.time());
    Consumer<Duration> samples = log.of(quiet);
    quiet.advance(Duration.ofMinutes(5));
    quiet.time().suspend(Duration.ofHours(1));
    quiet.time().stepWallClock(Duration.ofSeconds(2));
    quiet.advance(Duration.ofMinutes(6));
    samples.accept(Duration.ZERO);
    quiet.advance(Duration.ofMinutes(1));
    assertThat(said()).isEmpty();

    quiet.time().suspend(Duration.ofHours(1));
    samples.accept(Duration.ZERO);
    quiet.advance(Duration.ofMinutes(1));
    assertThat(said()).containsExactly(LONG + "stalled_seconds=3600.0 discarded=0");
  }

  @Test
  @DisplayName("W-20: ticks that are late by the same stall do not count it twice")
  void oneStallManyTicks() {
    Consumer<Duration> samples = log.of(loop);
    loop.stall(Duration.ofSeconds(45));
    samples.accept(Duration.ofSeconds(44));
    loop.time().advance(Duration.ofMillis(100));
    samples.accept(Duration.ofSeconds(43));
    loop.advance(Duration.ofMinutes(1));
    assertThat(said())
        .contains(LONG + "stalled_seconds=44.0 discarded=0")
        .noneMatch(line -> line.contains("=87"));
  }

  @Test
  @DisplayName("W-20: a clock that is set again and again costs a line a minute")
  void clockSetAgainAndAgain() {
    for (int i = 0; i < 100; i++) {
      loop.time().stepWallClock(Duration.ofSeconds(i % 2 == 0 ? 60 : -60));
      loop.advance(Duration.ofSeconds(1));
    }
    assertThat(said()).hasSize(2);
  }

  @Test
  @DisplayName("W-20: short stalls that discard probes are logged once a minute, others not")
  void shortStalls() {
    for (int i = 0; i < 90; i++) {
      loop.advance(Duration.ofSeconds(1));
      discarded(1);
    }
    loop.stall(Duration.ofMillis(900));
    loop.advance(Duration.ofMinutes(5));
    assertThat(said())
        .containsExactly(SHORT + "discarded=1", SHORT + "discarded=60", SHORT + "discarded=29");
  }

  @Test
  @DisplayName("W-20: a loop counts only probes discarded by its own stall")
  void anotherLoop() throws InterruptedException {
    loop.advance(Duration.ofMillis(10_500));
    Thread other = Thread.ofPlatform().start(() -> discarded(50));
    other.join();
    loop.advance(Duration.ofMinutes(2));
    assertThat(said()).isEmpty();
    loop.stall(Duration.ofSeconds(45));
    discarded(3);
    loop.advance(Duration.ofMinutes(5));
    assertThat(said()).singleElement().asString().endsWith(" discarded=3");
  }
}
