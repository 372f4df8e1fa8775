package io.probelet.remediator.resource;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of remediation that we carry out, all of {@code probelet.io/v1alpha1}. */
public enum RemediationKind {
  /** Restarts units of systemd on the node. */
  SERVICE_RESTART("service-restart", "ServiceRestartRemediation"),
  /** Cordons a node and evicts its pods. */
  DRAIN("drain", "DrainRemediation"),
  /** Reboots a node. */
  REBOOT("reboot", "RebootRemediation"),
  /** Declares a node that is off as out of service, so that its pods and volumes move. */
  OUT_OF_SERVICE("out-of-service", "OutOfServiceRemediation"),
  /** Has Cluster API replace the node's machine. */
  MACHINE("machine", "MachineRemediation"),
  /** Calls a user's endpoint, or creates a user's Job. */
  HOOK("hook", "HookRemediation");

  /** The group of all kinds. */
  public static final String GROUP = "probelet.io";

  /** The group and version of all kinds. */
  public static final String API_VERSION = GROUP + "/v1alpha1";

  private final String label;
  private final String kind;

  RemediationKind(String label, String kind) {
    this.label = label;
    this.kind = kind;
  }

  /** {@return the word for it in options and names of files, such as service-restart} */
  public String label() {
    return label;
  }

  /** {@return the kind in the API, such as ServiceRestartRemediation} */
  public String kind() {
    return kind;
  }

  /** {@return the resource in the API, such as servicerestartremediations} */
  public String plural() {
    return kind.toLowerCase(Locale.ROOT) + "s";
  }

  /** {@return whether the node's agent carries it out, by an order} */
  public boolean isByOrder() {
    return this == SERVICE_RESTART || this == REBOOT;
  }

  /** {@return which files grant the controller the rights for this kind} */
  public String rightsAdvice() {
    return "apply deploy/remediators/controller.yaml and deploy/remediators/%s.yaml"
        .formatted(label);
  }

  /** {@return the kind of its templates, such as ServiceRestartRemediationTemplate} */
  public String templateKind() {
    return kind + "Template";
  }

  /** {@return the resource of its templates, such as servicerestartremediationtemplates} */
  public String templatePlural() {
    return templateKind().toLowerCase(Locale.ROOT) + "s";
  }

  /**
   * Finds the kind of a remediation.
   *
   * @param kind any kind in the API
   * @return the kind; empty if it is no remediation of ours
   */
  public static Optional<RemediationKind> ofKind(String kind) {
    return Arrays.stream(values()).filter(each -> each.kind.equals(kind)).findFirst();
  }

  /**
   * Finds the kind of the remediations of a template.
   *
   * @param kind any kind in the API
   * @return the kind; empty if it is no template of ours
   */
  public static Optional<RemediationKind> ofTemplateKind(String kind) {
    return Arrays.stream(values()).filter(each -> each.templateKind().equals(kind)).findFirst();
  }

  /**
   * Reads the word for a kind.
   *
   * @param label such as service-restart
   * @throws IllegalArgumentException if it is none; the message says which there are
   */
  public static RemediationKind parse(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "\"%s\" is not one of %s"
                    .formatted(
                        label,
                        Arrays.stream(values())
                            .map(RemediationKind::label)
                            .collect(Collectors.joining(", ")))));
  }
}
