package io.probelet.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.plugin.BuiltIns;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.plugin.PluginRun;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PluginComplaintTest {
  @Test
  @DisplayName("A-6, B-14 what a plugin writes to stderr is logged, cleaned, and is no message")
  void logged() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(PluginRun.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(lines);
    try {
      PluginRule rule =
          new PluginRule(
              new Consequence.EventOnly("R", EvidenceThreshold.NONE),
              "/bin/sh",
              List.of("-c", "echo said; printf 'odd \\033[31m{} %%d' >&2; exit 1"),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              PluginProcess.DEFAULT);
      Machine machine =
          Machine.of(
              Path.of("/"), Path.of("/tmp"), Optional.empty(), SystemClock.INSTANCE, new Random(1));
      BuiltIns builtIns = new BuiltIns(machine, JournalAccess.USUAL, () -> Instant.EPOCH, Map.of());
      assertThat(new PluginRun(rule, 80, builtIns).run())
          .isEqualTo(new PluginResult.Ran(ConditionStatus.TRUE, "said", false));
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly("plugin wrote to standard error plugin=/bin/sh stderr=\"odd {} %d\"");
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(before);
    }
  }
}
