package io.probelet.cli.option;

import io.probelet.health.SystemClock;
import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that asks an API server. */
public final class KubeconfigOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig for the API server (default: $KUBECONFIG, ~/.kube/config, or the pod's"
              + " service account).")
  private @Nullable Path kubeconfig;

  /** Created by the command line. */
  public KubeconfigOption() {}

  /**
   * Reaches the API server.
   *
   * @param otherwise the kubeconfig unless the option names one
   * @return to be closed by the caller
   * @throws IOException if the kubeconfig cannot be used; the message is for the user
   */
  public ClusterAccess access(Optional<Path> otherwise) throws IOException {
    return new ClusterAccess(
        kubeconfig == null ? otherwise.orElse(null) : kubeconfig, SystemClock.INSTANCE);
  }

  /**
   * Reaches the API server by a context.
   *
   * @param context of the kubeconfig; null for the current one
   * @return to be closed by the caller
   * @throws IOException if the kubeconfig cannot be used or has no such context; the message is for
   *     the user
   */
  ClusterAccess access(@Nullable String context) throws IOException {
    return new ClusterAccess(kubeconfig, context, SystemClock.INSTANCE);
  }
}
