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
              + " namespace, or outside a pod probelet-system for `probelet agent`; `probelet"
              + " controller` outside a pod requires it).")
  private @Nullable String namespace;

  /** Created by the command line. */
  public NamespaceOption() {}

  /** {@return the namespace, if it is known} */
  public PodNamespace namespace() {
    return PodNamespace.of(namespace);
  }
}
