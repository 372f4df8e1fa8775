package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.MonitorSettings;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.rule.MonitorReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** That a program ends is nothing its node monitor has to complain about. */
class MonitorEndTest {
  private static final Duration RETRY = Duration.ofSeconds(2);

  @TempDir Path dir;
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.probelet.monitor");
  private final Complaints complaints = new Complaints();

  @BeforeEach
  void listen() {
    complaints.start();
    logger.addAppender(complaints);
  }

  @AfterEach
  void stopsListening() {
    logger.detachAppender(complaints);
  }

  private NodeMonitor monitor(MonitorListener listener, String input, String rule)
      throws Exception {
    Machine machine =
        Machine.of(Path.of("/"), dir, Optional.empty(), SystemClock.INSTANCE, new Random(1));
    NodeMonitor monitor =
        new NodeMonitor(
            new MonitorSettings(
                dir.resolve("state.json"),
                dir.resolve("kmsg"),
                new JournalAccess(false, dir.resolve("journalctl").toString()),
                machine,
                ZoneOffset.UTC),
            SystemClock.INSTANCE);
    monitor.addListener(listener);
    String file =
        """
        {%s, "source": "s",
         "conditions": [{"type": "Sick", "reason": "Well", "message": "well"}],
         "rules": [{"type": "permanent", "condition": "Sick", "reason": "R", %s}]}\
        """
            .formatted(input, rule);
    monitor.watch(
        List.of(
            MonitorReader.read(Document.json(Source.of(file)).root(), Problems.ofObject("monitor"))
                .orElseThrow()));
    return monitor;
  }

  @Test
  @DisplayName("evidence that is being judged when the monitor is closed is no error")
  void closedMeanwhile() throws Exception {
    Path log = Files.createFile(dir.resolve("kmsg"));
    CountDownLatch judging = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    MonitorListener slow =
        new MonitorListener() {
          @Override
          public void conditionChanged(Condition condition) {
            if (condition.status() == ConditionStatus.TRUE) {
              judging.countDown();
              awaitIn(closing);
            }
          }
        };
    NodeMonitor monitor =
        monitor(slow, "\"plugin\": \"kmsg\"", "\"pattern\": \"sick\", \"clearAfter\": \"1h\"");
    await()
        .until(() ->
            monitor.snapshot().get(1, TimeUnit.MINUTES).conditions().stream()
                .anyMatch(condition -> condition.status() == ConditionStatus.FALSE));
    Files.writeString(log, "sick\n", StandardOpenOption.APPEND);
    awaitIn(judging);
    Thread end = Thread.ofPlatform().start(monitor::close);
    await().until(() -> end.getState() == Thread.State.TIMED_WAITING);
    closing.countDown();
    end.join();
    assertThat(complaints.texts).isEmpty();
  }

  @Test
  @DisplayName("a journalctl that ends with the program, as Ctrl-C has it, is no trouble")
  void journalEnds() throws Exception {
    Path program = Files.writeString(dir.resolve("journalctl"), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path journal = Files.createDirectory(dir.resolve("journal"));
    Files.createFile(journal.resolve("system.journal"));
    long begun = System.nanoTime();
    try (NodeMonitor monitor =
        monitor(
            new MonitorListener() {},
            "\"plugin\": \"journald\", \"pluginConfig\": {\"source\": \"unit\"}, \"logPath\": \"%s\""
                .formatted(journal),
            "\"pattern\": \"sick\"")) {
      await()
          .until(() ->
              monitor.snapshot().get(1, TimeUnit.MINUTES).sources().stream()
                  .anyMatch(source -> source.trouble().contains("exited")));
    }
    assumeThat(System.nanoTime() - begun)
        .as("where the machine was busy, it was tried again before the end")
        .isLessThan(RETRY.toNanos());
    assertThat(complaints.texts).isEmpty();
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Complaints extends AppenderBase<ILoggingEvent> {
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
        texts.add(event.getFormattedMessage());
      }
    }
  }
}
