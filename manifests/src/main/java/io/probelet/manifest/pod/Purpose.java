package io.probelet.manifest.pod;

import io.probelet.manifest.policy.PodRules;
import java.util.List;
import java.util.Map;

/**
 * The purpose for which manifests are read.
 *
 * @param kindless readers of documents without a kind; the first that recognizes a document reads
 *     it
 * @param othersExpected whether objects of unsupported kinds are only counted, without a warning: a
 *     user who pipes a whole cluster or a chart, or names a folder, did not choose them
 * @param advise whether to give advice on valid pods
 * @param systemPodLabels labels that all system pods carry, used to check webhooks; empty if none
 *     are known
 */
public record Purpose(
    Use pods,
    Use workloads,
    List<KindlessReader> kindless,
    boolean othersExpected,
    boolean advise,
    Map<String, String> systemPodLabels) {
  /** Keeps unmodifiable copies of the list and the labels. */
  public Purpose {
    systemPodLabels = Map.copyOf(systemPodLabels);
    kindless = List.copyOf(kindless);
  }

  /** The reader of one sort of objects. */
  public record Use(Mode mode, PodRules rules) {}

  /**
   * Reads Pods and Pod templates for one mode, and monitor files as the only documents without a
   * kind.
   */
  public static Purpose of(Mode mode, PodRules rules) {
    Use use = new Use(mode, rules);
    return new Purpose(use, use, List.of(), false, false, Map.of());
  }

  /**
   * {@return a copy with known labels of system pods}
   *
   * @param labels labels that all system pods carry
   */
  public Purpose withSystemPodLabels(Map<String, String> labels) {
    return new Purpose(pods, workloads, kindless, othersExpected, advise, labels);
  }

  /** {@return a copy that expects objects of other kinds} */
  public Purpose withOthersExpected() {
    return new Purpose(pods, workloads, kindless, true, advise, systemPodLabels);
  }

  /** {@return a copy for piped input} */
  public Purpose ofPipe() {
    return new Purpose(workloads, workloads, kindless, true, advise, systemPodLabels);
  }
}
