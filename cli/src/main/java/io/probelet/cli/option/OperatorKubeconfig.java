package io.probelet.cli.option;

import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command with which operators read a cluster. */
public final class OperatorKubeconfig {
  @Mixin private KubeconfigOption kubeconfig = new KubeconfigOption();

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: the current one).")
  private @Nullable String context;

  /** Created by the command line. */
  public OperatorKubeconfig() {}

  /**
   * Reaches the API server.
   *
   * @return to be closed by the caller
   * @throws IOException if the kubeconfig cannot be used or has no such context; the message is for
   *     the user
   */
  public ClusterAccess access() throws IOException {
    return kubeconfig.access(context);
  }
}
