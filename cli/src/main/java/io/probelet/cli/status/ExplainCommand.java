package io.probelet.cli.status;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.status.AgentClient.Explained;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.web.api.ContainerView;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.http.ContainerChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet explain}: a container's probes, their results, and what happens next. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    header = "Explain why a container is not ready, and what happens next",
    description =
        "Explains a container of a running agent: its probes with all values and where each comes"
            + " from, the last results, and what happens next.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet explain web/httpd            one container",
      "  probelet explain web                  all containers of a pod",
      "  probelet explain -n shop web -o json"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:the container is ready or has completed",
      " 1:it is not ready",
      " 2:no agent answers, it knows no such container, or wrong usage"
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int NOT_READY = 1;
  private static final int UNKNOWN = 2;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "POD/CONTAINER",
      description =
          "The container; POD for all containers of a pod, also NAMESPACE/POD or"
              + " NAMESPACE/POD/CONTAINER.")
  private String subject;

  @Mixin private NamespaceFilter namespaces = new NamespaceFilter();

  @Mixin private AddressOption agent = new AddressOption();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, or json for the agent's answer (default: ${DEFAULT-VALUE}).")
  private Output output;

  private enum Output {
    TEXT,
    JSON
  }

  /** Created by the command line. */
  public ExplainCommand() {}

  @Override
  public Integer call() {
    namespaces.check();
    try {
      ContainerName name = ContainerName.parse(subject);
      if (name.isComplete()) {
        IneffectiveOptions.refuse(spec, "with NAMESPACE/POD/CONTAINER", List.of("--namespace"));
      }
      List<ContainerView> found = name.findIn(agent.client().probed(0), namespaces);
      ContainerView first = found.getFirst();
      ContainerChoice choice =
          new ContainerChoice(
              first.namespace(), first.pod(), name.namesOnly(first) ? first.container() : "");
      return show(agent.client().explained("/api/v1/explain" + choice.parameters()), choice);
    } catch (IllegalArgumentException | IOException noAnswer) {
      return failed(FailureReason.of(noAnswer));
    }
  }

  private int show(Explained answer, ContainerChoice choice) {
    List<ExplainView> views = answer.views();
    if (views.isEmpty()) {
      return failed(
          "the agent has no "
              + (choice.container().isEmpty() ? "" : "container " + choice.container() + " in ")
              + "pod "
              + choice.namespace()
              + "/"
              + choice.pod()
              + "; `probelet status` lists all");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(answer.json().strip());
    } else {
      Instant now = SystemClock.INSTANCE.wallTime();
      String gap = "";
      for (ExplainView view : views) {
        out.print(gap);
        ExplainText.of(view, now).forEach(out::println);
        gap = System.lineSeparator();
      }
    }
    out.flush();
    boolean fine = views.stream().map(ExplainView::container).allMatch(ContainerView::asItShouldBe);
    return fine ? OK : NOT_READY;
  }

  private int failed(String why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet explain: " + why);
    err.flush();
    return UNKNOWN;
  }
}
