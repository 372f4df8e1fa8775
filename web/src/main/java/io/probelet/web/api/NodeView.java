package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.Condition;
import io.probelet.health.ConditionSeverity;
import io.probelet.kube.MaintenanceNote;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.NodeSnapshot.ConditionDetail;
import io.probelet.monitor.node.SourceView;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.track.ConditionHistory;
import io.probelet.monitor.track.ConditionHistory.PastStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The node as {@code GET /api/v1/node} shows it.
 *
 * @param conditions its conditions, in the order of the monitor files
 * @param events the newest events, oldest first
 * @param notKnownYet types of conditions that are watched, and of which nothing is known yet
 * @param time when it was so, RFC 3339 in UTC
 * @param agent the agent itself; null where that is not asked for
 * @param maintenance the maintenance that it is in; null if it is in none
 */
@JsonPropertyOrder({
  "conditions",
  "events",
  "sources",
  "notKnownYet",
  "time",
  "agent",
  "maintenance"
})
public record NodeView(
    List<ConditionView> conditions,
    List<EventView> events,
    List<Source> sources,
    List<String> notKnownYet,
    String time,
    @JsonInclude(Include.NON_NULL) @Nullable AgentView agent,
    @JsonInclude(Include.NON_NULL) @Nullable MaintenanceView maintenance) {
  /** Past changes of a condition that are shown at most. */
  public static final int MAX_HISTORY = ConditionHistory.MAX_CHANGES;

  /** A node that is not watched. */
  public static final NodeView NONE =
      new NodeView(List.of(), List.of(), List.of(), List.of(), "", null);

  /** Changes in an hour that are worth showing: there, back, and there again. */
  private static final int OFTEN = 3;

  private static final Duration LATELY = Duration.ofHours(1);

  /** Takes what another agent leaves out for empty. */
  public NodeView {
    conditions = JsonDefaults.list(conditions);
    events = JsonDefaults.list(events);
    sources = JsonDefaults.list(sources);
    notKnownYet = JsonDefaults.list(notKnownYet);
    time = JsonDefaults.text(time);
  }

  /**
   * A node that is in no maintenance.
   *
   * @param agent the agent itself; null where that is not asked for
   */
  public NodeView(
      List<ConditionView> conditions,
      List<EventView> events,
      List<Source> sources,
      List<String> notKnownYet,
      String time,
      @Nullable AgentView agent) {
    this(conditions, events, sources, notKnownYet, time, agent, null);
  }

  /**
   * A maintenance, during which the node is not remediated.
   *
   * @param name of the Maintenance
   * @param until its end, RFC 3339 in UTC
   */
  @JsonPropertyOrder({"name", "until"})
  public record MaintenanceView(String name, String until) {
    /** Takes what another agent leaves out for empty. */
    public MaintenanceView {
      name = JsonDefaults.text(name);
      until = JsonDefaults.text(until);
    }
  }

  /**
   * A node condition, as Kubernetes spells it.
   *
   * @param status True, False or Unknown
   * @param reason one word for programs
   * @param lastTransitionTime when the status changed, RFC 3339 in UTC
   * @param changesLastHour how often what is found went from one status to another in the last
   *     hour, what flapping hides included; 59 means 59 or more
   * @param evidence what holds now, at most 16
   * @param history what was found lately, oldest first, at most 60; null where that is not asked
   *     for
   */
  @JsonPropertyOrder({
    "type",
    "status",
    "reason",
    "message",
    "lastTransitionTime",
    "changesLastHour",
    "evidence",
    "history"
  })
  public record ConditionView(
      String type,
      String status,
      String reason,
      String message,
      String lastTransitionTime,
      int changesLastHour,
      List<Evidence> evidence,
      @JsonInclude(Include.NON_NULL) @Nullable List<Change> history) {
    /** Takes what another agent leaves out for empty. */
    public ConditionView {
      type = JsonDefaults.text(type);
      status = JsonDefaults.text(status);
      reason = JsonDefaults.text(reason);
      message = JsonDefaults.text(message);
      lastTransitionTime = JsonDefaults.text(lastTransitionTime);
      evidence = JsonDefaults.list(evidence);
      history = history == null ? null : JsonDefaults.list(history);
    }

    /**
     * A condition with nothing behind it.
     *
     * @param status True, False or Unknown
     * @param reason one word for programs
     * @param lastTransitionTime when the status changed, RFC 3339 in UTC
     */
    public ConditionView(
        String type, String status, String reason, String message, String lastTransitionTime) {
      this(type, status, reason, message, lastTransitionTime, 0, List.of(), null);
    }

    /** {@return what it says now, with nothing behind it} */
    public ConditionView withoutPast() {
      return new ConditionView(type, status, reason, message, lastTransitionTime);
    }

    /**
     * {@return how bad it is: True is a problem, or a warning if it is degraded (B-26), and
     * frequent change is a warning}
     */
    public Severity severity() {
      return switch (status) {
        case "True" -> isDegraded() ? Severity.WARNING : Severity.UNHEALTHY;
        case "False" -> changesOften() ? Severity.WARNING : Severity.HEALTHY;
        default -> Severity.UNKNOWN;
      };
    }

    /** {@return whether the node works while it is True (B-26)} */
    boolean isDegraded() {
      return ConditionSeverity.of(type) == ConditionSeverity.DEGRADED;
    }

    /** {@return whether it changed three times or more in the last hour} */
    public boolean changesOften() {
      return changesLastHour >= OFTEN;
    }

    /** {@return the recent changes, as far as they were asked for} */
    public List<Change> changes() {
      return history == null ? List.of() : history;
    }
  }

  /**
   * A problem that holds.
   *
   * @param reason one word for programs
   * @param device the device it is about; empty if it is about none
   * @param since when it began, RFC 3339 in UTC
   */
  @JsonPropertyOrder({"source", "reason", "device", "message", "since"})
  public record Evidence(
      String source, String reason, String device, String message, String since) {
    /** Takes what another agent leaves out for empty. */
    public Evidence {
      source = JsonDefaults.text(source);
      reason = JsonDefaults.text(reason);
      device = JsonDefaults.text(device);
      message = JsonDefaults.text(message);
      since = JsonDefaults.text(since);
    }
  }

  /**
   * What was found from some moment on.
   *
   * @param time when it began, RFC 3339 in UTC
   * @param status True, False or Unknown
   * @param reason one word for programs
   * @param message what was seen, at most 256 characters of it
   */
  @JsonPropertyOrder({"time", "status", "reason", "message"})
  public record Change(String time, String status, String reason, String message) {
    /** Takes what another agent leaves out for empty. */
    public Change {
      time = JsonDefaults.text(time);
      status = JsonDefaults.text(status);
      reason = JsonDefaults.text(reason);
      message = JsonDefaults.text(message);
    }
  }

  /**
   * Something that happened.
   *
   * @param time when, RFC 3339 in UTC
   * @param reason one word for programs
   */
  @JsonPropertyOrder({"time", "source", "reason", "message"})
  public record EventView(String time, String source, String reason, String message) {
    /** Takes what another agent leaves out for empty. */
    public EventView {
      time = JsonDefaults.text(time);
      source = JsonDefaults.text(source);
      reason = JsonDefaults.text(reason);
      message = JsonDefaults.text(message);
    }
  }

  /**
   * How a monitor is doing.
   *
   * @param state starting, running, failing, or unavailable: it cannot as the agent is installed
   * @param reason what is in the way of one that is unavailable, in one word; else empty
   * @param trouble what keeps it from working; empty if nothing does
   * @param reads lines read, or plugins run
   * @param lost lines that were lost before they could be read
   * @param unread lines whose time could not be read, so that they are no entries of their log
   * @param tooOld matches of lines that were older than the lookback, or within the delay
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
    "tooOld",
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
      long tooOld,
      long timeouts) {
    /** Takes what another agent leaves out for empty. */
    public Source {
      name = JsonDefaults.text(name);
      state = JsonDefaults.text(state);
      reason = JsonDefaults.text(reason);
      trouble = JsonDefaults.text(trouble);
    }
  }

  /**
   * Shows a node.
   *
   * @param history how many past changes of each condition are wanted; 0 leaves the field out
   * @return its view, without the agent
   */
  public static NodeView of(NodeSnapshot node, int history, Instant now) {
    Set<String> known = node.conditions().stream().map(Condition::type).collect(Collectors.toSet());
    return new NodeView(
        node.conditions().stream()
            .map(condition -> condition(condition, node, history, now))
            .toList(),
        node.events().stream().map(NodeView::event).toList(),
        node.sources().stream().map(NodeView::source).toList(),
        node.specs().stream()
            .map(ConditionSpec::type)
            .filter(type -> !known.contains(type))
            .toList(),
        shown(now),
        null);
  }

  /** {@return the same with the agent itself} */
  public NodeView with(AgentView itself) {
    return new NodeView(conditions, events, sources, notKnownYet, time, itself, maintenance);
  }

  /** {@return the same in maintenance; unchanged if there is none} */
  public NodeView with(Optional<MaintenanceNote> note) {
    return note.map(each ->
            new NodeView(
                conditions,
                events,
                sources,
                notKnownYet,
                time,
                agent,
                new MaintenanceView(each.name(), shown(each.until()))))
        .orElse(this);
  }

  /** {@return the same with more events among its own, oldest first} */
  public NodeView with(List<EventView> others) {
    List<EventView> all = new ArrayList<>(events);
    all.addAll(others);
    all.sort(Comparator.comparing(event -> Rfc3339.readOrEpoch(event.time())));
    return new NodeView(conditions, all, sources, notKnownYet, time, agent, maintenance);
  }

  /**
   * {@return the same with more that is, or is not, observed}
   *
   * @param others how that is doing
   */
  public NodeView withSources(List<Source> others) {
    List<Source> all = new ArrayList<>(sources);
    all.addAll(others);
    return new NodeView(conditions, events, all, notKnownYet, time, agent, maintenance);
  }

  private static ConditionView condition(
      Condition condition, NodeSnapshot node, int history, Instant now) {
    ConditionDetail detail =
        node.details()
            .getOrDefault(condition.type(), new ConditionDetail(ConditionHistory.NONE, List.of()));
    List<PastStatus> changes = detail.history().changes();
    return new ConditionView(
        condition.type(),
        condition.status().toString(),
        condition.reason(),
        condition.message(),
        shown(condition.lastTransitionTime()),
        detail.history().changesSince(now.minus(LATELY)),
        detail.evidence().stream().map(NodeView::evidence).toList(),
        history == 0
            ? null
            : changes.subList(Math.max(0, changes.size() - history), changes.size()).stream()
                .map(NodeView::change)
                .toList());
  }

  private static Evidence evidence(ConditionDetail.Found found) {
    return new Evidence(
        found.source(), found.reason(), found.device(), found.message(), shown(found.since()));
  }

  private static Change change(PastStatus past) {
    return new Change(shown(past.at()), past.status().toString(), past.reason(), past.message());
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
        source.tooOld(),
        source.timeouts());
  }

  private static String shown(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
