package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.tape.CheckSizes;
import io.probelet.nodehealth.tape.NodeDifference;
import io.probelet.nodehealth.tape.RecordedCheck;
import io.probelet.nodehealth.tape.RecordedRemediation;
import io.probelet.nodehealth.tape.TapeHeader;
import io.probelet.nodehealth.tape.TapeLimits;
import io.probelet.nodehealth.tape.TapeLine;
import io.probelet.nodehealth.tape.TapeLine.CheckGone;
import io.probelet.nodehealth.tape.TapeLine.CheckSeen;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceGone;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceSeen;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import io.probelet.nodehealth.tape.TapeReader;
import io.probelet.nodehealth.tape.TapeWriter;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens to the nodes of a cluster, to its NodeHealthChecks and to their remediations
 * (TP-8). Read-only. It first writes all existing objects with the start time of the tape, then
 * each change.
 */
public final class TapeRecorder implements AutoCloseable {
  private final TimeSource time;
  private final String cluster;
  private final Consumer<String> lines;
  private final ReconcileLoop loop;
  private final KindWatches kinds;
  private final NodeHealthCheckReader reader =
      NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN);
  private final Map<String, NodeSeen> nodes = new TreeMap<>();
  private final Map<String, JsonNode> checks = new TreeMap<>();
  private final Map<String, RecordedRemediation> remediations = new TreeMap<>();
  private final CheckSizes checkSizes = new CheckSizes();
  private final Map<String, JsonNode> maintenances = new TreeMap<>();
  private final CheckSizes maintenanceSizes = CheckSizes.ofMaintenances();
  private final LeftOut leftOut = new LeftOut();
  private final Set<Kind.Name> wanted = new HashSet<>();
  private boolean nodesListed;
  private boolean checksListed;
  private @Nullable Instant last;
  private @Nullable Instant blind;

  /**
   * Creates a recorder.
   *
   * @param cluster name of the cluster on the tape; possibly empty
   * @param lines receives the lines of the tape, without line ends, on one thread
   * @param loop to be closed with this
   */
  public TapeRecorder(
      ApiServer api,
      String cluster,
      Consumer<String> lines,
      TimeSource time,
      RandomGenerator random,
      SerialLoop loop) {
    this.time = time;
    this.cluster = cluster;
    this.lines = lines;
    this.loop = new ReconcileLoop(loop, time);
    this.kinds = new KindWatches(api, this.loop, time, random, new Remediations());
    this.loop.post(this::want);
    this.loop.watch(
        api,
        Selection.all(Kind.NODE.kind(), Kind.NODE.collection(null)),
        new RecordedNodeFormat(),
        new NodeFeed(),
        random);
    this.loop.watch(
        api,
        Selection.all(Kind.CHECK.kind(), Kind.CHECK.collection(null)),
        Kind.CHECK.format(),
        new CheckFeed(),
        random);
  }

  /** {@return a loop for recording, with its own thread} */
  public static SerialLoop thread() {
    return ReconcileLoop.thread("recorder", Threads.MACHINE);
  }

  /**
   * Writes the line that ends the tape; nothing is written after it.
   *
   * @return completed after it was written; false if nothing had been written before
   */
  public CompletableFuture<Boolean> end() {
    return loop.ask(() -> {
      if (last == null) {
        return false;
      }
      seeAgain();
      write(new End(now()));
      nodesListed = false;
      last = null;
      return true;
    });
  }

  @Override
  public void close() {
    loop.close();
    kinds.close();
  }

  // --- Changes from watches, on the loop's thread

  private final class NodeFeed extends WatchFeed<NodeSeen> {
    NodeFeed() {
      super(
          loop,
          Kind.NODE,
          item -> node(item.value()),
          item -> nodeGone(item.name()),
          () -> {
            nodesListed = true;
            seeAgain();
            startIfKnown();
          });
    }

    @Override
    public void interrupted(String why) {
      Instant at = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
      loop.post(() -> blind = blind == null ? at : blind);
    }
  }

  private final class CheckFeed extends WatchFeed<JsonNode> {
    CheckFeed() {
      super(
          loop,
          Kind.CHECK,
          TapeRecorder.this::check,
          item -> checkGone(item.name()),
          TapeRecorder.this::checksListed);
    }

    /** A cluster without NodeHealthChecks still has nodes. */
    @Override
    public void unserved() {
      loop.post(TapeRecorder.this::checksListed);
    }

    @Override
    public void refused(String verb) {
      loop.post(TapeRecorder.this::checksListed);
    }
  }

  private final class Remediations implements KindWatches.Listener {
    @Override
    public void changed(JsonNode object) {
      if (Kind.MAINTENANCE.isOf(object)) {
        maintenance(object);
        return;
      }
      RecordedRemediation now = RecordedRemediation.of(RemediationJson.read(object));
      boolean room =
          remediations.containsKey(now.uid()) || remediations.size() < TapeReader.MAX_REMEDIATIONS;
      if (!room || !TapeLimits.fits(now)) {
        leftOut.add("remediation", now.ref().name());
        gone(object);
        return;
      }
      if (!now.equals(remediations.put(now.uid(), now)) && last != null) {
        write(new RemediationSeen(now(), now));
      }
    }

    @Override
    public void gone(JsonNode object) {
      if (Kind.MAINTENANCE.isOf(object)) {
        maintenanceGone(RemediationJson.ref(object).name());
        return;
      }
      String uid = Metadata.uid(object);
      if (remediations.remove(uid) != null && last != null) {
        write(new RemediationGone(now(), uid));
      }
    }

    @Override
    public void settled(Kind.Name kind) {
      startIfKnown();
    }
  }

  private void node(NodeSeen seen) {
    String name = seen.node().name();
    boolean room = nodes.containsKey(name) || nodes.size() < TapeReader.MAX_NODES;
    if (!room || !TapeLimits.fits(seen.node()) || !TapeLimits.fits(TapeWriter.write(seen))) {
      leftOut.add("Node", name);
      nodeGone(name);
      return;
    }
    NodeSeen old = nodes.put(seen.node().name(), seen);
    if (last == null) {
      return;
    }
    seeAgain();
    if (old == null) {
      write(new NodeSeen(now(), seen.node(), seen.cordoned()));
    } else {
      NodeDifference.between(old, seen, now()).forEach(this::write);
    }
  }

  private void nodeGone(String name) {
    if (nodes.remove(name) != null && last != null) {
      write(new NodeGone(now(), name));
    }
  }

  private void check(Item<JsonNode> item) {
    JsonNode now = RecordedCheck.of(item.value());
    int bytes = TapeWriter.write(new CheckSeen(Instant.EPOCH, item.name(), now)).length();
    if (!checkSizes.takes(item.name(), bytes)) {
      leftOut.add("NodeHealthCheck", item.name());
      checkGone(item.name());
      return;
    }
    boolean news = !now.equals(checks.put(item.name(), now));
    if (news) {
      want();
      if (last != null) {
        write(new CheckSeen(now(), item.name(), now));
      }
    }
  }

  private void checkGone(String name) {
    checkSizes.remove(name);
    if (checks.remove(name) != null) {
      want();
      if (last != null) {
        write(new CheckGone(now(), name));
      }
    }
  }

  private void maintenance(JsonNode object) {
    JsonNode now = RecordedCheck.of(object);
    String name = RemediationJson.ref(object).name();
    int bytes = TapeWriter.write(new MaintenanceSeen(Instant.EPOCH, name, now)).length();
    if (!maintenanceSizes.takes(name, bytes)) {
      leftOut.add("Maintenance", name);
      maintenanceGone(name);
    } else if (!now.equals(maintenances.put(name, now)) && last != null) {
      write(new MaintenanceSeen(now(), name, now));
    }
  }

  private void maintenanceGone(String name) {
    maintenanceSizes.remove(name);
    if (maintenances.remove(name) != null && last != null) {
      write(new MaintenanceGone(now(), name));
    }
  }

  private void checksListed() {
    checksListed = true;
    startIfKnown();
  }

  private void want() {
    wanted.clear();
    wanted.add(Kind.MAINTENANCE.name());
    for (JsonNode check : checks.values()) {
      reader
          .read(check)
          .spec()
          .ifPresent(spec -> {
            for (RemediationStep step : spec.steps()) {
              wanted.add(new Kind.Name(step.template().apiVersion(), step.remediationKind()));
            }
          });
    }
    kinds.watch(Set.copyOf(wanted));
  }

  // --- Lines

  private void startIfKnown() {
    boolean known =
        nodesListed
            && checksListed
            && wanted.stream().noneMatch(kind -> kinds.state(kind) instanceof KindState.Pending);
    if (last != null || !known) {
      return;
    }
    Instant start = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
    last = start;
    blind = null;
    lines.accept(TapeWriter.write(new TapeHeader(start, cluster, "kubernetes")));
    nodes.values().forEach(seen -> write(new NodeSeen(start, seen.node(), seen.cordoned())));
    checks.forEach((name, check) -> write(new CheckSeen(start, name, check)));
    maintenances.forEach((name, object) -> write(new MaintenanceSeen(start, name, object)));
    remediations.values().forEach(remediation -> write(new RemediationSeen(start, remediation)));
  }

  private void seeAgain() {
    Instant from = blind;
    blind = null;
    if (from != null && last != null) {
      write(new Gap(now(), from.isAfter(last) ? from : last));
    }
  }

  /** Never before the previous line: a wall clock may go back, the tape's time may not. */
  private Instant now() {
    Instant wall = time.wallTime().truncatedTo(ChronoUnit.SECONDS);
    return last != null && wall.isBefore(last) ? last : wall;
  }

  private void write(TapeLine line) {
    last = line.at();
    lines.accept(TapeWriter.write(line));
  }
}
