package io.probelet.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The namespace in which this program runs: as configured, else that of the pod's service account.
 *
 * @param known empty outside a cluster if none is configured
 */
public record PodNamespace(Optional<String> known) {
  /** The namespace of the manifests in deploy/. */
  public static final String USUAL = "probelet-system";

  private static final Path OF_THE_POD =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /**
   * {@return the namespace}
   *
   * @param configured by flag or environment; null or empty for none
   */
  public static PodNamespace of(@Nullable String configured) {
    if (configured != null && !configured.isEmpty()) {
      return new PodNamespace(Optional.of(configured));
    }
    try {
      return new PodNamespace(
          Optional.of(Files.readString(OF_THE_POD).strip()).filter(name -> !name.isEmpty()));
    } catch (IOException noPod) {
      return new PodNamespace(Optional.empty());
    }
  }

  /** {@return the namespace, else {@link #USUAL}} */
  public String orUsual() {
    return known.orElse(USUAL);
  }

  /**
   * {@return the namespace, which a leader candidate requires}
   *
   * @throws IllegalArgumentException if it is unknown; the message is for the user
   */
  public String require() {
    return known.orElseThrow(() ->
        new IllegalArgumentException(
            "the namespace of the leader leases is unknown: set --namespace, or POD_NAMESPACE in the"
                + " environment"));
  }
}
