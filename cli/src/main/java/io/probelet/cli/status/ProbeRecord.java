package io.probelet.cli.status;

import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The recent outcomes of one probe.
 *
 * @param kind startup, readiness or liveness
 * @param handler httpGet, tcpSocket, exec, grpc, allOf or anyOf
 * @param result the published result: Success, Failure or Unknown
 * @param outcomes number of outcomes, at most 60, without errors
 * @param errors number of probes that could not run, so that their target's health is unknown
 * @param changes number of changes between success and failure
 * @param medianMs median latency in milliseconds; 0 without outcomes
 * @param maxMs largest latency
 * @param timeoutMs timeout of one attempt
 * @param message of the newest failure or error; empty if there was none
 */
record ProbeRecord(
    String namespace,
    String pod,
    String container,
    String kind,
    String handler,
    String result,
    int outcomes,
    int failed,
    int errors,
    int changes,
    double medianMs,
    double maxMs,
    long timeoutMs,
    String message) {

  /** What makes a probe the worst. */
  enum Order {
    /** Failures and errors, then changes, then the slowest outcome's share of the timeout. */
    TROUBLE,
    /** The median of the latencies. */
    LATENCY,
    /** The share of failures and errors. */
    FAILURES,
    /** The number of changes between success and failure. */
    CHANGES;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Comparator<ProbeRecord> leastFirst() {
      Comparator<ProbeRecord> failures = Comparator.comparingDouble(ProbeRecord::troubleShare);
      return switch (this) {
        case TROUBLE ->
            failures
                .thenComparingInt(ProbeRecord::changes)
                .thenComparingDouble(ProbeRecord::timeoutShare);
        case LATENCY -> Comparator.comparingDouble(ProbeRecord::medianMs);
        case FAILURES -> failures;
        case CHANGES -> Comparator.comparingInt(ProbeRecord::changes);
      };
    }
  }

  /** {@return the probes of containers, the worst first, then by name} */
  static List<ProbeRecord> of(List<ContainerView> containers, Order order) {
    List<ProbeRecord> records = new ArrayList<>();
    for (ContainerView container : containers) {
      container.probes().forEach(probe -> records.add(of(container, probe)));
    }
    records.sort(order.leastFirst().reversed().thenComparing(ProbeRecord::name));
    return records;
  }

  private static ProbeRecord of(ContainerView container, ProbeView probe) {
    List<OutcomeView> all = probe.outcomes();
    List<OutcomeView> history =
        all.stream().filter(outcome -> !outcome.result().equals("error")).toList();
    double[] latencies = history.stream().mapToDouble(OutcomeView::latencyMs).sorted().toArray();
    int count = latencies.length;
    return new ProbeRecord(
        container.namespace(),
        container.pod(),
        container.container(),
        probe.kind(),
        probe.handler(),
        probe.result(),
        count,
        (int) history.stream().filter(ProbeRecord::isFailure).count(),
        all.size() - count,
        changes(history),
        count == 0 ? 0 : latencies[(count - 1) / 2],
        count == 0 ? 0 : latencies[count - 1],
        probe.timeoutMs(),
        all.reversed().stream()
            .filter(outcome -> isFailure(outcome) || outcome.result().equals("error"))
            .findFirst()
            .map(OutcomeView::message)
            .orElse(""));
  }

  private static boolean isFailure(OutcomeView outcome) {
    return outcome.result().equals("failed");
  }

  private static int changes(List<OutcomeView> history) {
    int changes = 0;
    for (int i = 1; i < history.size(); i++) {
      changes += isFailure(history.get(i)) == isFailure(history.get(i - 1)) ? 0 : 1;
    }
    return changes;
  }

  String name() {
    return namespace + "/" + pod + "/" + container + " " + kind;
  }

  private double troubleShare() {
    int all = outcomes + errors;
    return all == 0 ? 0 : (double) (failed + errors) / all;
  }

  /** {@return the largest latency as a share of the timeout} */
  double timeoutShare() {
    return timeoutMs == 0 ? 0 : maxMs / timeoutMs;
  }
}
