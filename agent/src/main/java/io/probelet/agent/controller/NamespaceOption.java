package io.probelet.agent.controller;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that takes leases in a namespace of its own. */
public final class NamespaceOption {
  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "${env:POD_NAMESPACE}",
      description =
          "Namespace of the leases of agents and leaders (environment: POD_NAMESPACE; default: the"
              + " pod's namespace; elsewhere an agent takes probelet-system).")
  private @Nullable String namespace;

  /** Created by the command line. */
  public NamespaceOption() {}

  /** {@return the namespace, as far as it is known} */
  public PodNamespace namespace() {
    return PodNamespace.of(namespace);
  }
}
