package io.probelet.fleet.advise;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.fleet.AskedNodes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All advice, and what it is based on.
 *
 * @param containers the containers of workloads, sorted by namespace and workload
 * @param left containers that are left out because a limit is reached
 * @param invalid containers whose statistics are invalid
 * @param probesWithout probes that agents keep no statistics of, as their memory for it is full
 * @param cluster which agents answered; null for a single agent
 */
@JsonPropertyOrder({"containers", "left", "invalid", "probesWithout", "cluster"})
public record AdviceReport(
    List<WorkloadAdvice> containers,
    int left,
    int invalid,
    int probesWithout,
    @JsonInclude(Include.NON_NULL) @Nullable AskedNodes cluster) {
  /** Keeps an unmodifiable copy. */
  public AdviceReport {
    containers = List.copyOf(containers);
  }

  /** {@return the advice on what Prometheus has} */
  public static AdviceReport ofPrometheus(List<WorkloadEvidence> evidence, AdviceGoals goals) {
    return new AdviceReport(
        evidence.stream().map(each -> ProbeAdvisor.advise(each, goals)).toList(), 0, 0, 0, null);
  }

  /** {@return the advice on all that was merged} */
  public static AdviceReport of(
      StatisticsMerge merge, AdviceGoals goals, @Nullable AskedNodes cluster) {
    return new AdviceReport(
        merge.evidence().stream().map(each -> ProbeAdvisor.advise(each, goals)).toList(),
        merge.left(),
        merge.invalid(),
        merge.withoutStatistics(),
        cluster);
  }

  /** {@return whether something is proposed} */
  public boolean hasProposals() {
    return containers.stream().anyMatch(each -> !each.proposals().isEmpty());
  }

  /** {@return whether everything that was asked for could be judged or has too little data} */
  public boolean isComplete() {
    return left == 0 && invalid == 0 && (cluster == null || cluster.complete());
  }
}
