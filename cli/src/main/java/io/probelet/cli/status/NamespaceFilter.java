package io.probelet.cli.status;

import io.probelet.cli.console.IneffectiveOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that limit what a command shows to the pods of one namespace. */
final class NamespaceFilter {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Show only pods of this namespace (default: all namespaces).")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Show pods of all namespaces, which is the default.")
  private boolean all;

  /** Created by the command line. */
  NamespaceFilter() {}

  /** Refuses a namespace together with all namespaces. */
  void check() {
    if (all) {
      IneffectiveOptions.refuse(spec, "with --all-namespaces", List.of("--namespace"));
    }
  }

  /** {@return the only namespace; empty for all} */
  String name() {
    return namespace == null ? "" : namespace;
  }

  boolean allows(String other) {
    return namespace == null || namespace.equals(other);
  }

  /** {@return whether pods of some namespaces are left out} */
  boolean isLimited() {
    return namespace != null;
  }

  /**
   * {@return what to print instead of an empty table}
   *
   * @param things such as "events"
   */
  String none(String things) {
    String hint =
        namespace != null && namespace.matches("[0-9]+")
            ? " -n is the namespace; --rows limits the number of rows."
            : "";
    return "No " + things + (namespace == null ? "" : " in namespace " + namespace) + "." + hint;
  }
}
