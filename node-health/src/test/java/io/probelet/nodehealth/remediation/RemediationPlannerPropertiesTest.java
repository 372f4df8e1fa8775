package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.RandomCase;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RandomEvents.Turn;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.simulation.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/** What must never happen (N-1 to N-3), whatever happens. */
class RemediationPlannerPropertiesTest {
  /** How a write can end. */
  enum Fate {
    FINE,
    REFUSED,
    DONE_BUT_UNANSWERED,
    CRASH_BEFORE,
    CRASH_AFTER
  }

  private static final class Crash extends RuntimeException {
    Crash() {
      super("crash", null, false, false);
    }
  }

  @Test
  @DisplayName(
      "N-1, R-10..R-14 a remediation is only created for a node that may have one, and once")
  void onlyWhatMayBe() {
    RandomCase.tries(200, random -> play(story(random), List.of(), false));
  }

  @Test
  @DisplayName("N-2 so it is when all that we wrote lately is still unseen")
  void onlyWhatMayBeWithAStaleCache() {
    RandomCase.tries(200, random -> play(story(random), List.of(), true));
  }

  @Test
  @DisplayName("N-3, NHC-23, NHC-24 crashes and failed writes end where an uninterrupted run ends")
  void crashesChangeNothing() {
    RandomCase.tries(
        300,
        random -> {
          RandomEvents story = story(random);
          List<Fate> fates = random.list(1, 40, () -> random.of(Fate.values()));
          assertThat(play(story, fates, false)).isEqualTo(play(story, List.of(), false));
        });
  }

  @Test
  @DisplayName("RB-1 a census kept node by node is the census counted anew")
  void incrementalCensus() {
    RandomCase.tries(100, random -> countAnew(story(random)));
  }

  private static void countAnew(RandomEvents story) {
    VirtualCluster cluster = RandomEvents.begin();
    cluster.put(story.check().build());
    for (Turn turn : story.turns()) {
      RandomEvents.happen(turn, cluster);
      cluster.advanceTo(cluster.now().plus(RandomEvents.pause(turn)));
      NodeCensus kept = cluster.view("nhc").census();
      NodeCensus anew = NodeCensus.of(kept.spec(), cluster.nodes().values(), cluster.now());
      assertThat(kept.unhealthy()).isEqualTo(anew.unhealthy());
      assertThat(kept.healthy()).isEqualTo(anew.healthy());
      assertThat(kept.nextChange()).isEqualTo(anew.nextChange());
    }
  }

  private static RandomEvents story(RandomCase random) {
    HealthCheckBuilder check =
        check(
            random.of(0, 0, 1, 3),
            random.of(0, 2, 3),
            random.of(0, 5),
            random.of(0, 0, 3, 600, -1));
    return new RandomEvents(
        check,
        random.list(
            3,
            30,
            () -> new Turn(random.between(0, 9), random.between(0, 9), random.between(0, 11))));
  }

  private static HealthCheckBuilder check(int floor, int steps, int storm, int delay) {
    HealthCheckBuilder check =
        HealthCheckBuilder.check().minHealthy(floor).healthyDelay(Duration.ofSeconds(delay));
    for (int step = 1; step <= steps; step++) {
      check.then("Step" + step + "Remediation", "t" + step, Duration.ofMinutes(step));
    }
    return storm == 0 ? check : check.stormCooldown(Duration.ofMinutes(storm));
  }

  // --- A controller that fails as told, and what it leaves behind

  private static List<Object> play(RandomEvents story, List<Fate> fates, boolean stale) {
    VirtualCluster cluster = RandomEvents.begin();
    cluster.put(story.check().build());
    for (RemediationStep step : story.check().spec().steps()) {
      cluster.put(step.template(), new Template(true, Scene.TEMPLATE_SPEC, false));
    }
    Controller controller = new Controller(cluster, fates.iterator(), stale);
    for (Turn turn : story.turns()) {
      RandomEvents.happen(turn, cluster);
      controller.settle();
      controller.runFor(RandomEvents.pause(turn));
    }
    return remains(cluster);
  }

  private static List<Object> remains(VirtualCluster cluster) {
    List<Object> remains = new ArrayList<>();
    cluster.remediations().stream()
        .map(remediation ->
            List.of(
                remediation.nodeName(),
                remediation.ref(),
                remediation.created(),
                remediation.annotations()))
        .sorted(Comparator.comparing(Object::toString))
        .forEach(remains::add);
    for (String node : cluster.nodes().keySet()) {
      cluster
          .lease(node)
          .ifPresent(lease -> remains.add(List.of(node, lease.acquireTime(), lease.renewTime())));
    }
    NodeHealthCheckStatus status = cluster.checks().get("nhc").status();
    remains.add(List.of(status.observedNodes(), status.healthyNodes(), status.phase()));
    for (UnhealthyNode node : status.unhealthyNodes()) {
      remains.add(node.name() + node.conditionsHealthyTimestamp() + node.healthyDelayed());
      for (TrackedRemediation entry : node.remediations()) {
        remains.add(entry.resource() + " " + entry.started() + " " + entry.timedOut());
      }
    }
    status.conditions().forEach(remains::add);
    cluster.nodes().values().forEach(node -> remains.add(node.confirmedHealthy()));
    return remains;
  }

  private static final class Controller {
    private final VirtualCluster cluster;
    private final Iterator<Fate> fates;
    private final boolean stale;
    private RemediationIndex seenRemediations = RemediationIndex.EMPTY;
    private PMap<String, NodeLease> seenLeases = TreePMap.empty();
    private final Set<String> unseen = new HashSet<>();
    private PlannerMemory memory;
    private Instant wakeUp;

    Controller(VirtualCluster cluster, Iterator<Fate> fates, boolean stale) {
      this.cluster = cluster;
      this.fates = fates;
      this.stale = stale;
    }

    void runFor(Duration time) {
      Instant end = cluster.now().plus(time);
      while (wakeUp != null && !wakeUp.isAfter(end)) {
        cluster.advanceTo(wakeUp);
        settle();
      }
      cluster.advanceTo(end);
      settle();
    }

    void settle() {
      catchUp();
      for (int pass = 0; pass < 200; pass++) {
        if (!pass()) {
          if (unseen.isEmpty()) {
            assertThat(wakeUp == null || wakeUp.isAfter(cluster.now()))
                .as("settled at %s, and yet something is due at %s", cluster.now(), wakeUp)
                .isTrue();
            return;
          }
          catchUp();
        }
      }
      throw new AssertionError("never settles");
    }

    private void catchUp() {
      ClusterView view = cluster.view("nhc");
      seenRemediations = view.remediations();
      seenLeases = view.leases();
      unseen.clear();
    }

    private boolean pass() {
      NodeHealthCheckStatus before = cluster.checks().get("nhc").status();
      if (memory == null) {
        memory = PlannerMemory.restoredFrom(before);
      }
      ClusterView view = view();
      Plan plan = RemediationPlanner.plan(view, memory);
      Set<String> failed = new HashSet<>();
      try {
        for (RemediationAction action : plan.actions()) {
          if (action.node() != null && failed.contains(action.node())) {
            continue;
          }
          if (!write(action, view.nhc())) {
            failed.add(action.node());
          }
        }
        statusFate();
      } catch (Crash crash) {
        memory = null;
        return true;
      }
      cluster.writeStatus("nhc", plan.status());
      memory = plan.memory();
      wakeUp = plan.wakeUp();
      return !plan.actions().isEmpty() || !plan.status().equals(before);
    }

    private ClusterView view() {
      ClusterView view = cluster.view("nhc");
      if (!stale) {
        return view;
      }
      Set<String> controlPlane = new HashSet<>(unseen);
      controlPlane.removeIf(node ->
          !cluster.nodes().containsKey(node) || !cluster.nodes().get(node).isControlPlane());
      return new ClusterView(
          view.nhc(),
          view.census(),
          seenRemediations,
          view.templates(),
          seenLeases,
          new PendingWrites(unseen, controlPlane, false),
          PolicyFacts.NONE);
    }

    private void statusFate() {
      if (fates.hasNext()) {
        Fate fate = fates.next();
        if (fate == Fate.CRASH_BEFORE || fate == Fate.CRASH_AFTER) {
          throw new Crash();
        }
      }
    }

    private boolean write(RemediationAction action, NodeHealthCheck nhc) {
      Fate fate = fates.hasNext() ? fates.next() : Fate.FINE;
      if (fate == Fate.CRASH_BEFORE) {
        throw new Crash();
      }
      if (fate == Fate.REFUSED) {
        return false;
      }
      if (action instanceof CreateRemediation create) {
        mayCreate(create, nhc);
      }
      boolean done = cluster.write(action);
      if (action.node() != null && !(action instanceof RemediationAction.EmitEvent)) {
        unseen.add(action.node());
      }
      if (fate == Fate.CRASH_AFTER) {
        throw new Crash();
      }
      return done && fate != Fate.DONE_BUT_UNANSWERED;
    }

    /** The rules once more, told as naively as can be. */
    private void mayCreate(CreateRemediation create, NodeHealthCheck nhc) {
      NodeFacts node = cluster.nodes().get(create.node());
      assertThat(node).as("the node exists").isNotNull();
      assertThat(isUnhealthy(node)).as("N-1 %s is unhealthy", node).isTrue();
      assertThat(cluster.remediations())
          .as("N-1 no other for the same node and template")
          .noneMatch(other ->
              other.nodeName().equals(create.node())
                  && other.ref().kind().equals(create.draft().kind()));
      long healthy =
          cluster.nodes().values().stream().filter(this::isHealthyWithoutRemediation).count();
      int required = nhc.spec().floor().required(cluster.nodes().size()).orElseThrow();
      assertThat(healthy).as("R-10").isGreaterThanOrEqualTo(required);
      assertThat(node.labels().get(WireNames.EXCLUDE)).as("R-12").isNotEqualTo("true");
      if (node.isControlPlane()) {
        assertThat(cluster.remediations())
            .as("R-13")
            .noneMatch(
                other -> other.isForControlPlane() && !other.nodeName().equals(create.node()));
      }
      NodeLease lease = cluster.lease(create.node()).orElseThrow();
      assertThat(lease.holder()).as("R-14").isEqualTo("NodeHealthCheck-nhc");
      assertThat(lease.isValidAt(cluster.now())).as("R-14").isTrue();
      if (nhc.spec().stormCooldown() != null) {
        nhc.status()
            .condition(StatusCondition.STORM_COOLDOWN_ACTIVE)
            .filter(StatusCondition::active)
            .ifPresent(cooling ->
                assertThat(cluster.now())
                    .as("R-11")
                    .isAfterOrEqualTo(
                        cooling.lastTransitionTime().plus(nhc.spec().stormCooldown())));
      }
    }

    private boolean isUnhealthy(NodeFacts node) {
      return node.conditions().stream()
          .anyMatch(ready ->
              !ready.status().equals("True")
                  && cluster.now().isAfter(ready.lastTransitionTime().plusSeconds(300)));
    }

    private boolean isHealthyWithoutRemediation(NodeFacts node) {
      return node.conditions().stream().allMatch(ready -> ready.status().equals("True"))
          && cluster.remediations().stream()
              .noneMatch(remediation -> remediation.nodeName().equals(node.name()));
    }
  }
}
