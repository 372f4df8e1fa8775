package io.probelet.agent.console;

import io.probelet.health.TimeSource;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.NodeEvent;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs one line per node event and condition change; repeated ones once a minute. */
public final class NodeLog implements MonitorListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLog.class);

  private final RepeatLimit reminders;

  private record Repeated(String source, String reason, boolean problem) {}

  /** Creates a log without history. */
  public NodeLog(TimeSource time) {
    reminders = new RepeatLimit(time);
  }

  @Override
  public void happened(NodeEvent event) {
    OptionalInt heldBack =
        reminders.due(new Repeated(event.source(), event.reason(), event.problem()));
    if (heldBack.isPresent()) {
      String more =
          heldBack.getAsInt() == 0
              ? ""
              : " (and " + heldBack.getAsInt() + " more since the last line)";
      LOG.atLevel(event.problem() ? Level.WARN : Level.INFO)
          .addKeyValue("source", event.source())
          .addKeyValue("reason", event.reason())
          .log("node {}: {}{}", event.reason(), event.message(), more);
    }
  }
}
