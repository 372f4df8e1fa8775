package io.probelet.cli.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.option.OperatorKubeconfig;
import io.probelet.health.FailureReason;
import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet webhooks}: reverts Probelet's changes to admission webhooks. */
@Command(
    name = "webhooks",
    mixinStandardHelpOptions = true,
    subcommands = WebhooksCommand.Undo.class,
    header = "Revert Probelet's changes to admission webhooks",
    description =
        "Manages admission webhooks that Probelet has changed because they blocked the cluster.",
    footerHeading = "%nExample:%n",
    footer = "  probelet webhooks undo NAME --dry-run")
public final class WebhooksCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Created by the command line. */
  public WebhooksCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** {@code probelet webhooks undo NAME}. */
  @Command(
      name = "undo",
      mixinStandardHelpOptions = true,
      header = "Revert Probelet's changes to webhook configurations",
      description =
          "Reverts Probelet's changes to the webhook configurations of these names, last change"
              + " first, except for fields that were changed since. Requires permission: get and"
              + " update.",
      footerHeading = "%nExample:%n",
      footer = "  probelet webhooks undo NAME --dry-run",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        " 0:all changes are reverted",
        " 1:a configuration does not exist",
        " 2:wrong usage, or the API server cannot be reached or refuses"
      })
  static final class Undo implements Callable<Integer> {
    private static final int OK = 0;
    private static final int MISSING = 1;
    private static final int BAD_INPUT = 2;

    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "NAME",
        arity = "1..*",
        description =
            "Name of a ValidatingWebhookConfiguration, a MutatingWebhookConfiguration, or"
                + " both.")
    private List<String> names = List.of();

    @Option(names = "--dry-run", description = "Only print the changes.")
    private boolean dryRun;

    @Mixin private OperatorKubeconfig kubeconfig = new OperatorKubeconfig();

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      PrintWriter err = spec.commandLine().getErr();
      int code = OK;
      try (ClusterAccess access = kubeconfig.access()) {
        WebhookUndo undo = new WebhookUndo(access.client(), dryRun, out);
        for (String name : names) {
          if (!undo.undo(name)) {
            err.println("probelet webhooks undo: there is no webhook configuration " + name);
            code = MISSING;
          }
        }
      } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
        err.println("probelet webhooks undo: " + FailureReason.withFile(unable));
        code = BAD_INPUT;
      }
      out.flush();
      err.flush();
      return code;
    }
  }
}
