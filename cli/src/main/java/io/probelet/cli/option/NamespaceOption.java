package io.probelet.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that takes leases in Probelet's namespace. */
public final class NamespaceOption {
  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "${env:POD_NAMESPACE}",
      description =
          "Namespace of Probelet's own leases (environment: POD_NAMESPACE; default: the pod's"
              + " namespace; outside a pod `probelet agent` uses probelet-system, and `probelet"
              + " controller` needs it).")
  private @Nullable String namespace;

  /** Created by the command line. */
  public NamespaceOption() {}

  /** {@return the namespace, as far as it is known} */
  public PodNamespace namespace() {
    return PodNamespace.of(namespace);
  }
}
