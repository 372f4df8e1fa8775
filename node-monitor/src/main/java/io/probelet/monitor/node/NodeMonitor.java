package io.probelet.monitor.node;

import io.probelet.health.Alarm;
import io.probelet.health.Condition;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.monitor.node.StateFile.SavedState;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.Evidence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors this node: readers, plugins and checks send evidence to one loop with all conditions,
 * which notifies listeners and writes the state file.
 */
public final class NodeMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMonitor.class);
  private static final int MAX_WAITING = 1024;

  /** In addition to evidence, which waits for room: requests, reloads, and the loop's own tasks. */
  private static final int MAX_OTHERS = 1024;

  private static final int MAX_EVENTS = 50;
  private static final Duration SAVE_CHANGES = Duration.ofSeconds(1);
  private static final Duration SAVE_POSITIONS = Duration.ofSeconds(30);
  private static final Duration SOURCES_FIRST = Duration.ofSeconds(1);
  private static final Duration SOURCES_AGAIN = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final TimeSource time;
  private final Boot boot;
  private final StateFile file;
  private final List<MonitorListener> listeners = new CopyOnWriteArrayList<>();
  private final Deque<NodeEvent> events = new ArrayDeque<>();
  private final Watches watches;
  private final SerialLoop loop;
  private final Alarm wakeUp;
  private final Alarm savePositions;
  private final Alarm logSources;
  private final SourceLog sources = new SourceLog();
  private final Alarm saveChanges;
  private NodeConditions conditions = NodeConditions.NONE;
  private SavedState saved;
  private List<Condition> onNode = List.of();
  private boolean closing;
  private boolean closed;

  /** Creates a monitor of this machine that watches nothing yet. */
  public NodeMonitor(MonitorSettings settings, TimeSource time) {
    this(settings.stateFile(), new MachineSources(settings, time), time);
  }

  /**
   * Creates a monitor that watches nothing yet.
   *
   * @param stateFile keeps the state over restarts; null to keep no state
   */
  public NodeMonitor(@Nullable Path stateFile, NodeSources sources, TimeSource time) {
    this.time = time;
    boot = sources.boot();
    file = new StateFile(stateFile);
    saved = file.read(boot.id());
    watches = new Watches(new WatchFactory(sources, time, this::observe, this::runChecks), time);
    loop =
        SerialLoop.start(
            time.threads(),
            "node-monitor",
            MAX_WAITING + MAX_OTHERS,
            MAX_OTHERS,
            bug -> LOG.error("internal error while processing evidence, continuing", bug));
    wakeUp = loop.alarm(this::letTimePass);
    saveChanges = loop.alarm(this::save);
    savePositions = loop.alarm(this::saveAgain);
    logSources = loop.alarm(this::logSources);
    savePositions.set(SAVE_POSITIONS);
  }

  /**
   * Adds a listener, which is notified of changes from now on.
   *
   * @param listener called on the monitor's loop
   */
  public void addListener(MonitorListener listener) {
    listeners.add(listener);
  }

  /**
   * Adds a listener, which is told all present conditions first, and then each change.
   *
   * @param listener called on the monitor's loop
   */
  public void follow(MonitorListener listener) {
    loop.offer(() -> {
      conditions.conditions().forEach(listener::conditionChanged);
      listeners.add(listener);
    });
  }

  /** {@return the current boot} */
  public Boot boot() {
    return boot;
  }

  /**
   * Replaces the monitors (B-12). An unchanged monitor continues undisturbed. A changed one
   * restarts with its state, its counters and its position in the log. Conditions without a monitor
   * are dropped.
   */
  public void watch(Collection<Monitor> monitors) {
    Map<String, Monitor> all = NamedRule.named(monitors);
    loop.offer(() -> replace(all));
  }

  private void replace(Map<String, Monitor> monitors) {
    watches.closeAllBut(monitors);
    keep(positions()); // they continued reading until closed
    conditions =
        NodeConditions.of(monitors)
            .restore(saved.conditions(), saved.events(), now())
            .continueFrom(conditions)
            .adopt(onNode, now());
    onNode = List.of();
    List<ConditionSpec> specs = conditions.specs();
    notify(listener -> listener.watching(specs));
    conditions.conditions().forEach(known -> notify(listener -> listener.conditionChanged(known)));
    take(conditions.at(now())); // what only a removed rule reported is cleared
    int begun = watches.begin(monitors, saved.positions());
    LOG.info(
        "monitors loaded monitors={} started={} conditions={}",
        monitors.size(),
        begun,
        specs.size());
    if (begun > 0) {
      sources.begin(now().plus(SourceLog.MAX_WAIT));
      logSources.set(SOURCES_FIRST);
    }
    wakeUpInTime();
  }

  /** B-17: logs all sources once each was tried, and changes from then on. */
  private void logSources() {
    logSources.set(sources.logChanges(watches.stats(), now()) ? SOURCES_AGAIN : SOURCES_FIRST);
  }

  /**
   * Adopts published conditions of which nothing is known yet (B-4). Call it before monitoring
   * begins: afterwards a healthy log would already count as a change.
   *
   * @param published conditions published by an earlier process in this boot
   */
  public void adopt(Collection<Condition> published) {
    List<Condition> all = List.copyOf(published);
    loop.offer(() -> onNode = all);
  }

  /** Takes evidence; blocks while the queue is full, so that a flood slows its reader down. */
  private void observe(String ruleId, Evidence evidence) {
    try {
      var _ =
          loop.put(() -> {
            if (!closed) { // unsaved positions are read again by the next process
              take(conditions.observe(ruleId, evidence, now()));
              wakeUpInTime();
            }
          });
    } catch (InterruptedException ended) { // its evidence is dropped too
      Thread.currentThread().interrupt();
    }
  }

  /** Runs checks for a line, queued after the evidence of that line, so that a flood waits too. */
  private void runChecks(Set<CheckKind> kinds) {
    try {
      var _ = loop.put(() -> watches.runChecks(kinds));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs all checks soon, as after a maintenance (MW-11). */
  public void runChecks() {
    loop.offer(() -> watches.runChecks(EnumSet.allOf(CheckKind.class)));
  }

  private void wakeUpInTime() {
    Optional<ClockReading> due = closing ? Optional.empty() : conditions.nextWakeUp();
    // Transitions that fell due while evidence was processed are handled immediately (B-2).
    due.ifPresentOrElse(
        moment -> wakeUp.set(Duration.ofNanos(moment.nanos() - time.nanoTime())), wakeUp::cancel);
  }

  private void letTimePass() {
    take(conditions.at(now()));
    wakeUpInTime();
  }

  private ClockReading now() {
    return ClockReading.of(time);
  }

  private Map<String, String> positions() {
    Map<String, String> positions = new LinkedHashMap<>(saved.positions());
    positions.putAll(watches.positions());
    return positions;
  }

  private void keep(Map<String, String> positions) {
    saved =
        new SavedState(
            boot.id(),
            watches.isEmpty() ? saved.conditions() : conditions.save(now()),
            watches.isEmpty() ? saved.events() : conditions.saveEvents(now()),
            positions);
  }

  private void saveAgain() {
    savePositions.set(SAVE_POSITIONS);
    save();
  }

  /** Evidence read up to these positions is still queued: it is processed first. */
  private void save() {
    Map<String, String> positions = positions();
    loop.offer(() -> write(positions));
  }

  private void write(Map<String, String> positions) {
    SavedState before = saved;
    keep(positions);
    if (!saved.equals(before) && !boot.id().isEmpty()) {
      file.write(saved);
    }
  }

  private void saveSoon() {
    if (!closing && !saveChanges.isSet()) {
      saveChanges.set(SAVE_CHANGES);
    }
  }

  /**
   * {@return the current state of the node, computed on the monitor's loop}
   *
   * <p>Never completes after the monitor has been closed.
   */
  public CompletableFuture<NodeSnapshot> snapshot() {
    CompletableFuture<NodeSnapshot> answer = new CompletableFuture<>();
    loop.offer(() ->
        answer.complete(
            new NodeSnapshot(
                conditions.conditions(),
                conditions.details(),
                conditions.specs(),
                new ArrayList<>(events),
                conditions.counts(),
                conditions.problems(),
                watches.stats(),
                Math.min(MAX_WAITING, loop.waiting()))));
    return answer;
  }

  /** Stops all reading and saves the state. */
  @Override
  public void close() {
    CountDownLatch saved = new CountDownLatch(1);
    boolean open =
        loop.offer(() -> {
          closing = true;
          watches.closeAllBut(Map.of());
          save();
          loop.offer(() -> { // after the close and everything it waits for
            closed = true;
            saved.countDown();
          });
        });
    try {
      if (open && !time.threads().await(saved, TIMEOUT)) {
        LOG.warn("node monitor did not stop within {}s", TIMEOUT.toSeconds());
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    loop.finish(TIMEOUT); // drops queued evidence and releases blocked readers
  }

  /** A failing listener affects neither other listeners nor the loop. */
  private void notify(Consumer<MonitorListener> news) {
    for (MonitorListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException bug) {
        LOG.error("internal error in a node monitor listener, continuing", bug);
      }
    }
  }

  /** Continues with that state, and notifies listeners of changes. */
  private void take(NodeConditions.Progress step) {
    conditions = step.after();
    if (step.specsChanged()) {
      List<ConditionSpec> specs = conditions.specs();
      notify(listener -> listener.watching(specs));
    }
    for (NodeConditions.News news : step.news()) {
      switch (news) {
        case NodeConditions.News.Changed(Condition condition) -> {
          saveSoon();
          notify(listener -> listener.conditionChanged(condition));
        }
        case NodeConditions.News.Happened(NodeEvent event) -> {
          events.addLast(event);
          if (events.size() > MAX_EVENTS) {
            events.removeFirst();
          }
          notify(listener -> listener.happened(event));
        }
      }
    }
  }
}
