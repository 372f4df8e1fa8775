package io.probelet.agent.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.Condition;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.SourceView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The node as {@code GET /api/v1/node} shows it.
 *
 * @param conditions what is said about it, in the order of the monitor files
 * @param events the newest events, oldest first
 * @param sources how the monitors are doing
 */
@JsonPropertyOrder({"conditions", "events", "sources"})
public record NodeView(
    List<ConditionView> conditions, List<EventView> events, List<Source> sources) {

  /**
   * A node condition, as Kubernetes spells it.
   *
   * @param type the condition's type
   * @param status True, False or Unknown
   * @param reason one word for programs
   * @param message a sentence for people
   * @param lastTransitionTime when the status changed, RFC 3339 in UTC
   */
  @JsonPropertyOrder({"type", "status", "reason", "message", "lastTransitionTime"})
  public record ConditionView(
      String type, String status, String reason, String message, String lastTransitionTime) {}

  /**
   * Something that happened.
   *
   * @param time when, RFC 3339 in UTC
   * @param source the monitor that saw it
   * @param reason one word for programs
   * @param message what was seen
   */
  @JsonPropertyOrder({"time", "source", "reason", "message"})
  public record EventView(String time, String source, String reason, String message) {}

  /**
   * How a monitor is doing.
   *
   * @param name the monitor's name
   * @param state starting, running, failing, or unavailable: it cannot as the agent is installed
   * @param reason what is in the way of one that is unavailable, in one word; else empty
   * @param trouble what keeps it from working; empty if nothing does
   * @param reads lines read, or plugins run
   * @param matches how many of them were a problem
   * @param lost lines that were lost before they could be read
   * @param unread lines whose time could not be read, so that they are no entries of their log
   * @param timeouts runs that took too long
   */
  @JsonPropertyOrder({
    "name",
    "state",
    "reason",
    "trouble",
    "reads",
    "matches",
    "lost",
    "unread",
    "timeouts"
  })
  public record Source(
      String name,
      String state,
      String reason,
      String trouble,
      long reads,
      long matches,
      long lost,
      long unread,
      long timeouts) {}

  /**
   * Shows a node.
   *
   * @param node how it is
   * @return its view
   */
  public static NodeView of(NodeSnapshot node) {
    return new NodeView(
        node.conditions().stream().map(NodeView::condition).toList(),
        node.events().stream().map(NodeView::event).toList(),
        node.sources().stream().map(NodeView::source).toList());
  }

  private static ConditionView condition(Condition condition) {
    return new ConditionView(
        condition.type(),
        condition.status().toString(),
        condition.reason(),
        condition.message(),
        shown(condition.lastTransitionTime()));
  }

  private static EventView event(NodeEvent event) {
    return new EventView(shown(event.at()), event.source(), event.reason(), event.message());
  }

  private static Source source(SourceView source) {
    return new Source(
        source.source(),
        source.state().label(),
        source.state().obstacleLabel(),
        source.trouble(),
        source.reads(),
        source.matches(),
        source.lost(),
        source.unread(),
        source.timeouts());
  }

  private static String shown(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
