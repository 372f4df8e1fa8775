package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The User-Agent of HTTP and gRPC probes (H-2). */
public enum ProbeAgent {
  /** The kubelet's, which servers may be configured to allow. */
  KUBE_PROBE,
  /** Our own. */
  PROBELET;

  /** {@return the word for users} */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@return the words for users} */
  public static List<String> words() {
    return Arrays.stream(values()).map(ProbeAgent::word).toList();
  }

  /**
   * Parses a word.
   *
   * @return its agent; empty if it is unknown
   */
  public static Optional<ProbeAgent> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
