package io.probelet.manifest.pod;

import io.probelet.manifest.policy.PodRules;
import java.util.List;
import java.util.Map;

/**
 * What manifests are read for.
 *
 * @param kindless readers of documents without a kind; the first that recognises one reads it
 * @param othersExpected whether objects of kinds that nobody here reads are only counted, and not
 *     remarked on: whoever pipes all that a cluster has, or a chart makes, or names a folder, has
 *     not chosen them
 * @param advise whether advice is given on what is valid
 * @param systemPodLabels labels that all of the cluster's own pods carry, by which webhooks are
 *     checked; empty if none are known
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

  /** How one sort of objects is read. */
  public record Use(Mode mode, PodRules rules) {}

  /** Reads Pods and Pod templates for the same, and nothing without a kind but monitor files. */
  public static Purpose of(Mode mode, PodRules rules) {
    Use use = new Use(mode, rules);
    return new Purpose(use, use, List.of(), false, false, Map.of());
  }

  /**
   * {@return the same where the labels of system pods are known}
   *
   * @param labels labels that all of the cluster's own pods carry
   */
  public Purpose withSystemPodLabels(Map<String, String> labels) {
    return new Purpose(pods, workloads, kindless, othersExpected, advise, labels);
  }

  /** {@return the same for objects that nobody has chosen} */
  public Purpose withOthersExpected() {
    return new Purpose(pods, workloads, kindless, true, advise, systemPodLabels);
  }

  /** {@return the same for what comes of a pipe} */
  public Purpose ofPipe() {
    return new Purpose(workloads, workloads, kindless, true, advise, systemPodLabels);
  }
}
