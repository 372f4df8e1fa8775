package io.probelet.nodehealth.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.RandomCase;
import io.probelet.nodehealth.policy.Policies;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RandomEvents.Turn;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.simulation.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** No sequence of events, failed writes and restarts gets past a RemediationPolicy. */
class RemediationLimitsPropertiesTest {
  private static final int NODES = 8;
  private static final Duration HOUR = Duration.ofHours(1);

  /** What the policy allows, as plainly as can be; 99 is as much as anybody wants. */
  private record Limits(int percent, int perZone, int perHour, int times, int hours, int minutes) {
    static Limits random(RandomCase random) {
      return new Limits(
          random.of(0, 13, 25, 50, 100, 100),
          random.of(1, 2, 99, 99),
          random.of(1, 2, 3, 5, 99, 99),
          random.of(1, 2, 99),
          random.of(1, 3),
          random.of(20, 60, 60));
    }

    String spec() {
      return """
      {maxNodes: %d%%, maxNodesPerZone: %d, maxPerHour: %d, backstop: {times: %d, within: %dh},
       windows: [{schedule: 0 * * * *, duration: %dm}]}
      """
          .formatted(percent, perZone, perHour, times, hours, minutes);
    }
  }

  private record Begun(String node, Instant at) {}

  @Test
  @DisplayName("ACT-74, ACT-75, ACT-77, ACT-78, ACT-79 never more than allowed, whatever happens")
  void neverMore() {
    int[] created = new int[1];
    RandomCase.tries(
        60,
        random -> {
          Run run = new Run(random, Limits.random(random));
          for (Turn turn :
              random.list(
                  10,
                  60,
                  () ->
                      new Turn(
                          random.between(0, 9), random.between(0, 40), random.between(0, 11)))) {
            RandomEvents.happen(turn, run.cluster);
            run.advance(RandomEvents.pause(turn).multipliedBy(random.between(1, 3)));
          }
          created[0] += run.begun.size();
        });
    assertThat(created[0]).as("something began, or nothing was tried").isGreaterThan(150);
  }

  /** A controller of two NodeHealthChecks that fails, crashes and starts again. */
  private static final class Run {
    final VirtualCluster cluster = new VirtualCluster(Scene.START);
    final List<Begun> begun = new ArrayList<>();
    private final RandomCase random;
    private final Limits limits;
    private final Map<String, PlannerMemory> memories = new HashMap<>();
    private final Map<String, Instant> wakeUps = new HashMap<>();

    Run(RandomCase random, Limits limits) {
      this.random = random;
      this.limits = limits;
      for (int i = 1; i <= NODES; i++) {
        cluster.put(
            Scene.node("n" + i)
                .withLabel("pool", i % 2 == 0 ? "a" : "b")
                .withLabel(RemediationPolicyReader.ZONE_LABEL, i <= 5 ? "z1" : "z2"));
      }
      add(HealthCheckBuilder.twoSteps(2, 3).named("a").selecting("pool", "a").minHealthy(0));
      add(HealthCheckBuilder.check().named("b").selecting("pool", "b").minHealthy(0));
      cluster.put(Policies.policy("limits", limits.spec()));
    }

    private void add(HealthCheckBuilder check) {
      cluster.put(check.build());
      for (RemediationStep step : check.spec().steps()) {
        cluster.put(step.template(), new Template(true, Scene.TEMPLATE_SPEC, false));
      }
    }

    void advance(Duration time) {
      Instant end = cluster.now().plus(time);
      settle();
      for (Instant next = next(end); next.isBefore(end); next = next(end)) {
        cluster.advanceTo(next.isAfter(cluster.now()) ? next : cluster.now().plusSeconds(1));
        settle();
      }
      cluster.advanceTo(end.isAfter(cluster.now()) ? end : cluster.now());
      settle();
    }

    private Instant next(Instant end) {
      return wakeUps.values().stream().min(Instant::compareTo).filter(end::isAfter).orElse(end);
    }

    private void settle() {
      for (int pass = 0; pass < 30; pass++) {
        boolean changed = false;
        for (String check : List.copyOf(cluster.checks().keySet())) {
          changed |= pass(check);
        }
        if (!changed) {
          return;
        }
      }
    }

    private boolean pass(String check) {
      var before = cluster.checks().get(check).status();
      PlannerMemory memory =
          memories.computeIfAbsent(check, _ -> PlannerMemory.restoredFrom(before));
      Plan plan = RemediationPlanner.plan(cluster.view(check), memory);
      Set<String> failed = new HashSet<>();
      for (RemediationAction action : plan.actions()) {
        if (action.node() != null && failed.contains(action.node())) {
          continue;
        }
        int fate = random.between(0, 40);
        if (fate == 0) { // the controller ends before the write
          memories.clear();
          return true;
        }
        if (fate != 1 && !write(action)) {
          failed.add(action.node());
        }
        if (fate <= 3) { // refused, or done and not answered, or the controller ends after it
          failed.add(action.node());
          if (fate == 3) {
            memories.clear();
            return true;
          }
        }
      }
      cluster.writeStatus(check, plan.status());
      memories.put(check, plan.memory());
      if (plan.wakeUp() == null) {
        wakeUps.remove(check);
      } else {
        wakeUps.put(check, plan.wakeUp());
      }
      return !plan.actions().isEmpty() || !plan.status().equals(before);
    }

    private boolean write(RemediationAction action) {
      if (action instanceof CreateRemediation create) {
        mayBegin(create.node());
      }
      boolean done = cluster.write(action);
      if (done && action instanceof CreateRemediation create) {
        begun.add(new Begun(create.node(), cluster.now()));
      }
      return done;
    }

    private void mayBegin(String node) {
      Set<String> atWork = new TreeSet<>();
      cluster.remediations().forEach(remediation -> atWork.add(remediation.nodeName()));
      if (!atWork.contains(node)) {
        assertThat((atWork.size() + 1) * 100)
            .as("of %d nodes %s are at work", cluster.nodes().size(), atWork)
            .isLessThanOrEqualTo(limits.percent() * cluster.nodes().size());
        long inZone = atWork.stream().filter(other -> zone(other).equals(zone(node))).count();
        assertThat(inZone).as("in zone").isLessThan(limits.perZone());
      }
      assertThat(since(HOUR, begun)).as("per hour").isLessThan(limits.perHour());
      assertThat(
              since(
                  Duration.ofHours(limits.hours()),
                  begun.stream().filter(one -> one.node().equals(node)).toList()))
          .as("of node %s", node)
          .isLessThan(limits.times());
      assertThat(cluster.now().atZone(ZoneOffset.UTC).getMinute()).isLessThan(limits.minutes());
    }

    private String zone(String node) {
      NodeFacts facts = cluster.nodes().get(node);
      return facts == null ? "" : facts.labels().get(RemediationPolicyReader.ZONE_LABEL);
    }

    private long since(Duration time, List<Begun> all) {
      Instant from = cluster.now().minus(time);
      return all.stream().filter(one -> one.at().isAfter(from)).count();
    }
  }
}
