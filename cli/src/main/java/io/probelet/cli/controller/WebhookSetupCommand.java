package io.probelet.cli.controller;

import io.probelet.controller.remediation.WebhookSetup;
import io.probelet.health.SystemClock;
import io.probelet.kube.certificate.CertificateAuthority;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code probelet webhook-setup}: prints the manifests of the admission webhooks. */
@Command(
    name = "webhook-setup",
    mixinStandardHelpOptions = true,
    header = "Print the manifests of the admission webhooks",
    description =
        "Prints manifests for `kubectl apply -f -`: a Secret with a new certificate authority for the"
            + " webhook, and the ValidatingWebhookConfiguration that trusts it. The controller needs"
            + " no permission on either.",
    footerHeading = "%nExample:%n",
    footer = "  probelet webhook-setup -n probelet-system | kubectl apply -f -",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:printed", " 2:wrong usage"})
public final class WebhookSetupCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;
  private static final int MAX_DAYS = 36_500;
  private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "probelet-system",
      description = "Namespace of the webhook's Service (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      defaultValue = WebhookSetup.SERVICE,
      description = "Name of the webhook's Service (default: ${DEFAULT-VALUE}).")
  private String service;

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      defaultValue = "3650",
      description = "Days until the authority expires (default: ${DEFAULT-VALUE}).")
  private int days;

  @Option(
      names = "--readiness-gates",
      description =
          "Also print the MutatingWebhookConfiguration that adds the readiness gate to pods with"
              + " readiness in the annotation, in namespaces with the label"
              + " probelet.io/readiness-gates=enabled.")
  private boolean gates;

  /** Created by the command line. */
  public WebhookSetupCommand() {}

  @Override
  public Integer call() {
    for (String name : new String[] {namespace, service}) {
      if (!DNS_LABEL.matcher(name).matches()) {
        return wrong("\"" + name + "\" is not a name like probelet-webhook: a-z, 0-9 and -");
      }
    }
    if (days < 1 || days > MAX_DAYS) {
      return wrong("--days must be from 1 to " + MAX_DAYS + ", not " + days);
    }
    CertificateAuthority authority =
        CertificateAuthority.make(
            WebhookSetup.dnsName(service, namespace),
            SystemClock.INSTANCE.wallTime(),
            Duration.ofDays(days));
    PrintWriter out = spec.commandLine().getOut();
    WebhookSetup setup = new WebhookSetup(namespace, service);
    out.print(setup.manifest(authority));
    if (gates) {
      out.print(setup.gateManifest(authority));
    }
    out.flush();
    return OK;
  }

  private int wrong(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet webhook-setup: " + what);
    err.flush();
    return BAD_INPUT;
  }
}
