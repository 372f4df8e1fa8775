package io.probelet.cli.console;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.console.Console;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.RestartDecision;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/**
 * The logging of a running agent, from its creation until it is closed. Lines wait in a bounded
 * queue for one writer. If the reader of standard output stalls, lines are dropped and counted; no
 * event loop blocks. Lines about one pod are limited, so that a noisy pod does not drown the
 * others.
 */
public final class Logging implements AutoCloseable {
  private static final int QUEUE_LINES = 1024;
  private static final int TIMEOUT_MILLIS = 1000;

  private final LongAdder dropped = new LongAdder();
  private final LongAdder heldBack = new LongAdder();
  private final PodLogLimit podLines = new PodLogLimit();
  private final TimeSource time;
  private final LoggerContext context;

  /**
   * Sends all logging to standard output.
   *
   * @param format how lines are written
   * @param verbose whether the console logs every probe
   */
  public Logging(LogFormat format, boolean verbose, TimeSource time) {
    this.time = time;
    context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.start(); // it may have been closed before
    context.addTurboFilter(new CredentialPluginFilter());
    AsyncAppender queue = new Queue();
    queue.setContext(context);
    queue.setName("queue");
    queue.setQueueSize(QUEUE_LINES);
    queue.setDiscardingThreshold(0); // all levels are equally important
    queue.setNeverBlock(true);
    queue.setMaxFlushTime(TIMEOUT_MILLIS);
    queue.addAppender(stream(context, format, "System.out"));
    queue.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    root.addAppender(queue);
    // It warns at every start that our own resources are v1alpha1.
    context
        .getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
        .setLevel(Level.ERROR);
    context.getLogger(Console.class).setLevel(verbose ? Level.DEBUG : Level.INFO);
  }

  /** Adds counters of dropped lines and of lines over a pod's limit. */
  public void addTo(MeterRegistry registry) {
    FunctionCounter.builder("probelet.log.lines.dropped", dropped, LongAdder::sum)
        .description("Log lines dropped because standard output was read too slowly.")
        .register(registry);
    FunctionCounter.builder("probelet.log.lines.held.back", heldBack, LongAdder::sum)
        .description("Log lines suppressed because their pod exceeded its limit of lines.")
        .register(registry);
  }

  /** Writes the queued lines, within a second. */
  @Override
  public void close() {
    context.stop();
  }

  static ConsoleAppender<ILoggingEvent> stream(
      LoggerContext context, LogFormat format, String target) {
    ConsoleAppender<ILoggingEvent> stream = new ConsoleAppender<>();
    stream.setContext(context);
    stream.setName("stream");
    stream.setTarget(target);
    stream.setEncoder(
        encoder(
            context,
            switch (format) {
              case TEXT -> new TextLine(ZoneId.systemDefault());
              case JSON -> new JsonLine();
            }));
    stream.start();
    return stream;
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, Layout<ILoggingEvent> layout) {
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout);
    encoder.start();
    return encoder;
  }

  private final class Queue extends AsyncAppender {
    @Override
    protected void append(ILoggingEvent event) {
      boolean limited = event.getLevel().isGreaterOrEqual(Level.INFO) && !isDecision(event);
      String pod = limited ? podOf(event) : null;
      OptionalLong missing =
          pod == null ? OptionalLong.of(0) : podLines.allow(pod, time.nanoTime());
      if (missing.isEmpty()) {
        heldBack.increment();
        return;
      }
      if (missing.getAsLong() > 0) {
        enqueue(missing(pod, missing.getAsLong()));
      }
      enqueue(event);
    }

    private void enqueue(ILoggingEvent event) {
      if (getRemainingCapacity() == 0) {
        dropped.increment();
      } else {
        super.append(event);
      }
    }

    private ILoggingEvent missing(@Nullable String pod, long lines) {
      return new LoggingEvent(
          Logging.class.getName(),
          Logging.this.context.getLogger(Logging.class),
          Level.WARN,
          "pod={} log-lines-held-back={}",
          null,
          new Object[] {pod, lines});
    }
  }

  /** L-1: a noisy probe does not hide that its container was killed. */
  private static boolean isDecision(ILoggingEvent event) {
    List<Marker> markers = event.getMarkerList();
    return markers != null && markers.contains(RestartDecision.LOG_MARKER);
  }

  /** The pod that a line is about, by its fields or its arguments; null if it is about none. */
  private static @Nullable String podOf(ILoggingEvent event) {
    Object namespace = null;
    Object pod = null;
    List<KeyValuePair> fields = event.getKeyValuePairs();
    for (KeyValuePair field : fields == null ? List.<KeyValuePair>of() : fields) {
      namespace = field.key.equals("namespace") ? field.value : namespace;
      pod = field.key.equals("pod") ? field.value : pod;
    }
    if (pod != null) {
      return namespace + "/" + pod;
    }
    Object[] arguments = event.getArgumentArray();
    for (Object argument : arguments == null ? new Object[0] : arguments) {
      if (argument instanceof PodRef ref) {
        return ref.toString();
      }
    }
    return null;
  }
}
