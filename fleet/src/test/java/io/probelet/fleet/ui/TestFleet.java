package io.probelet.fleet.ui;

import io.probelet.fleet.FleetCheck;
import io.probelet.fleet.FleetCondition;
import io.probelet.fleet.FleetCondition.Verdict;
import io.probelet.fleet.FleetEvent;
import io.probelet.fleet.FleetGap;
import io.probelet.fleet.FleetLeader;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetPast;
import io.probelet.fleet.FleetPolicy;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.remediator.resource.KeptEvidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Clusters to draw. */
final class TestFleet {
  static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  static final String ZONE = "topology.kubernetes.io/zone";

  private TestFleet() {}

  static FleetView of(List<FleetNode> nodes) {
    return of(nodes, List.of());
  }

  static FleetView of(List<FleetNode> nodes, List<FleetGap> gaps) {
    return new FleetView(
        NOW,
        "https://10.0.0.1:6443",
        nodes,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        gaps);
  }

  static FleetNode node(String name, State state, Map<String, String> labels, String message) {
    boolean well = state == State.HEALTHY;
    return new FleetNode(
        name,
        NOW.minus(Duration.ofDays(9)),
        labels,
        !well,
        well ? List.of() : List.of("node.kubernetes.io/unreachable:NoExecute"),
        List.of(
            new FleetCondition(
                "Ready",
                well ? "True" : "Unknown",
                well ? "KubeletReady" : "NodeStatusUnknown",
                message,
                NOW.minusSeconds(252),
                well ? Verdict.GOOD : Verdict.BAD),
            new FleetCondition(
                "DiskPressure", "False", "Enough", message, NOW.minusSeconds(9000), Verdict.GOOD)),
        state,
        well ? "" : "Ready=Unknown",
        well ? null : NOW.minusSeconds(252),
        state == State.SOON ? NOW.plusSeconds(48) : null,
        List.of("workers"));
  }

  /**
   * A cluster in which all kinds of things happen.
   *
   * @param ill how many of them are not well
   */
  static FleetView busy(int count, int ill, String text) {
    List<FleetNode> nodes = new ArrayList<>();
    List<FleetWait> waits = new ArrayList<>();
    List<FleetRemediation> remediations = new ArrayList<>();
    List<FleetEvent> events = new ArrayList<>();
    List<FleetPast> past = new ArrayList<>();
    State[] states = State.values();
    for (int i = 0; i < count; i++) {
      String name = "worker-%05d.eu-central-1.compute.internal".formatted(i);
      State state = i < ill ? states[i % (states.length - 1)] : State.HEALTHY;
      nodes.add(
          node(
              name,
              state,
              Map.of(
                  ZONE,
                  "zone-" + i % 3,
                  "topology.kubernetes.io/rack",
                  "rack-" + i % 190,
                  "worker.gardener.cloud/pool",
                  "pool-" + i % 20,
                  "kubernetes.io/hostname",
                  name),
              text));
      if (state == State.WAITING && waits.size() < 2_000) {
        waits.add(
            new FleetWait(
                name,
                "workers",
                "TooFewHealthy",
                "Waiting: 4 of 6 healthy nodes required " + text,
                null,
                FleetWait.Source.LEADER));
      }
      if (state == State.REMEDIATING && remediations.size() < 2_000) {
        remediations.add(remediation(name, 2, text));
        remediations.add(remediation(name, 1, text));
      }
      if (i < ill && events.size() < 1_000) {
        events.add(
            new FleetEvent(
                NOW.minusSeconds(i),
                3,
                true,
                "Node",
                "",
                name,
                "NodeNotReady",
                text,
                "kubelet",
                "kubelet",
                "default",
                true));
        past.add(new FleetPast(NOW.minusSeconds(600 + i), name, "RebootRemediation"));
        past.add(new FleetPast(NOW.minusSeconds(3600 + i), name, "RebootRemediation"));
      }
    }
    return new FleetView(
        NOW,
        "https://10.0.0.1:6443",
        nodes,
        waits,
        remediations,
        List.of(
            new FleetCheck(
                "workers",
                "Remediating",
                text,
                "",
                count,
                count - ill,
                6,
                "minHealthy 51%",
                List.of(text),
                List.of(
                    new FleetCheck.Step("RebootRemediation", "reboot", Duration.ofMinutes(5)),
                    new FleetCheck.Step("ReplaceRemediation", "replace", null)),
                List.of(),
                List.of(),
                NOW)),
        List.of(new FleetPolicy("limits", "", List.of("maxNodes 2"), false, false, count, 2, 1, 7)),
        List.of(new FleetLeader("probelet-remediation", "controller-1", NOW, true)),
        List.of(new FleetCondition("APIServerAvailable", "True", "Up", text, NOW, Verdict.GOOD)),
        events,
        past,
        List.of("RemediationPolicies"),
        List.of(
            new FleetGap(
                "Events", FleetGap.Kind.FORBIDDEN, "it takes the right list on events", false)));
  }

  private static FleetRemediation remediation(String node, int step, String text) {
    return new FleetRemediation(
        step == 1 ? "RebootRemediation" : "ReplaceRemediation",
        "probelet",
        node,
        node,
        "workers",
        "reboot",
        step,
        2,
        NOW.minusSeconds(step == 1 ? 1_200 : 600),
        step == 1 ? NOW.minusSeconds(601) : null,
        step == 1 ? null : NOW.plusSeconds(300),
        step == 1 ? FleetRemediation.State.TIMED_OUT : FleetRemediation.State.AT_WORK,
        "Draining",
        NOW.minusSeconds(60),
        text,
        List.of(),
        new KeptEvidence("evidence-1.tar.gz", "ab12", 12_345, List.of("OOM killed: " + text)));
  }
}
