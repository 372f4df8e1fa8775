package io.probelet.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How many lines clients cost. */
class RequestLogTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final RequestLog log = new RequestLog(clock);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(RequestLog.class);

  @BeforeEach
  void listen() {
    logger.setAdditive(false);
    logger.addAppender(lines);
    lines.start();
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
  }

  @Test
  @DisplayName("L-1 clients that break off have 10 lines and then one in 10 s")
  void bounded() {
    for (int i = 0; i < 1000; i++) {
      log.failed("response aborted", "/", "reset");
    }
    clock.advance(Duration.ofSeconds(10));
    log.failed("no answer", "/metrics", "not within 10s");
    assertThat(lines.list).hasSize(RequestLog.BURST + 1);
    assertThat(lines.list.getLast().getFormattedMessage())
        .isEqualTo("no answer path=\"/metrics\" reason=\"not within 10s\" suppressed=990");
  }
}
