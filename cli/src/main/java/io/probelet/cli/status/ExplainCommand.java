package io.probelet.cli.status;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.health.SystemClock;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ViewJson;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.http.ContainerChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet explain}: why a container is how it is, and what happens next. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description =
        "Explains a container of a running agent: what is probed, with which values and where each"
            + " comes from, what happened last and what happens next.",
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
  private static final int MAX_NAMES = 3;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "POD/CONTAINER",
      description =
          "The container; NAMESPACE/POD/CONTAINER for one of another namespace, POD for all"
              + " containers of a pod.")
  private String subject;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "default",
      description = "The pod's namespace (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @Mixin private AddressOption agent = new AddressOption();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, or json as the agent answers it (default: ${DEFAULT-VALUE}).")
  private Output output;

  private enum Output {
    TEXT,
    JSON
  }

  /** Created by the command line. */
  public ExplainCommand() {}

  @Override
  public Integer call() {
    try {
      String[] names = subject.split("/", -1);
      if (names.length > MAX_NAMES || List.of(names).contains("")) {
        return failed(
            "\"" + subject + "\" is no container; write POD/CONTAINER, or POD for all of its own");
      }
      boolean whole = names.length == MAX_NAMES;
      if (whole) {
        IneffectiveOptions.refuse(spec, "with NAMESPACE/POD/CONTAINER", List.of("--namespace"));
      }
      ContainerChoice choice =
          new ContainerChoice(
              whole ? names[0] : namespace,
              names[whole ? 1 : 0],
              names.length == 1 ? "" : names[names.length - 1]);
      return show(agent.client().explained("/api/v1/explain" + choice.parameters()), choice);
    } catch (IllegalArgumentException | IOException noAnswer) {
      return failed(String.valueOf(noAnswer.getMessage()));
    }
  }

  private int show(byte[] answer, ContainerChoice choice) throws IOException {
    List<ExplainView> views = ViewJson.readAll(answer, ExplainView.class);
    if (views.isEmpty()) {
      return failed(
          "the agent probes no "
              + (choice.container().isEmpty() ? "" : "container " + choice.container() + " of the ")
              + "pod "
              + choice.namespace()
              + "/"
              + choice.pod()
              + "; `probelet status` lists what it does");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(new String(answer, StandardCharsets.UTF_8).strip());
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
