package io.probelet.manifest.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whose name HTTP and gRPC probes give as User-Agent (H-2). */
public enum ProbeAgent {
  /** The kubelet's, which servers may have been configured to let in. */
  KUBE_PROBE,
  /** Our own. */
  PROBELET;

  /** {@return the word by which users name it} */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@return the words by which users name them} */
  public static List<String> words() {
    return Arrays.stream(values()).map(ProbeAgent::word).toList();
  }

  /**
   * Reads a word.
   *
   * @return what it names; empty if nothing
   */
  public static Optional<ProbeAgent> of(String word) {
    int index = words().indexOf(word);
    return index < 0 ? Optional.empty() : Optional.of(values()[index]);
  }
}
