package io.probelet.cli.status;

import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How one probe did lately.
 *
 * @param kind startup, readiness or liveness
 * @param handler httpGet, tcpSocket, exec, grpc, allOf or anyOf
 * @param result what is published: Success, Failure or Unknown
 * @param outcomes how many outcomes the rest is about, at most 60, without errors
 * @param errors how many probes besides could not be carried out, so that nothing is known
 * @param changes how often a failure followed on a success, or the other way round
 * @param medianMs the median of their latencies in milliseconds; 0 without outcomes
 * @param maxMs the largest of them
 * @param timeoutMs what one attempt may take
 * @param message what the newest failure or error said; empty if there was none
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

  /** By what the worst come first. */
  enum Order {
    /**
     * Failures and what could not be carried out, then changes, then how near the slowest was to
     * its timeout.
     */
    TROUBLE,
    /** The median of the latencies. */
    LATENCY,
    /** The share of failures, and of what could not be carried out. */
    FAILURES,
    /** How often it went from one to the other. */
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

  /** {@return the probes of containers, the worst first; those alike by their names} */
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

  /** {@return the slowest of the latencies as a part of the timeout} */
  double timeoutShare() {
    return timeoutMs == 0 ? 0 : maxMs / timeoutMs;
  }
}
