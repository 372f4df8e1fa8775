package io.probelet.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * In which namespace this program runs, as configured, or else as a pod's service account says.
 *
 * @param known empty for one who tries it out from outside against some cluster
 */
public record PodNamespace(Optional<String> known) {
  /** Where the files in deploy/ put everything. */
  public static final String USUAL = "probelet-system";

  private static final Path OF_THE_POD =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /**
   * {@return the namespace}
   *
   * @param configured by flag or environment; null or empty if nobody did
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

  /** {@return the namespace, or where one would expect it to be} */
  public String orUsual() {
    return known.orElse(USUAL);
  }

  /**
   * {@return the namespace, which a candidate for leader has to know}
   *
   * @throws IllegalArgumentException if it is not known; the message is for the user
   */
  public String require() {
    return known.orElseThrow(() ->
        new IllegalArgumentException(
            "the namespace of the leaders' leases is unknown: give --namespace, or set POD_NAMESPACE in"
                + " the environment"));
  }
}
