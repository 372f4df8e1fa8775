package io.probelet.agent.order;

import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.monitor.evidence.EvidenceStore;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.remediator.resource.KeptEvidence;
import java.io.IOException;

/** Collects evidence about the node. */
@FunctionalInterface
public interface EvidenceSource {
  /**
   * Collects a bundle, and keeps it on the node.
   *
   * @throws IOException if that is not possible; the message is for the user
   * @throws InterruptedException if the caller is interrupted
   */
  KeptEvidence collect(String reason) throws IOException, InterruptedException;

  /**
   * {@return what collects what {@code probelet diagnose} does}
   *
   * @param store saves the bundles
   */
  static EvidenceSource of(NodeEvidence evidence, EvidenceStore store) {
    return reason -> {
      EvidenceBundle bundle = evidence.collect(reason, store);
      return new KeptEvidence(bundle.name(), bundle.sha256(), bundle.bytes(), bundle.digest());
    };
  }
}
