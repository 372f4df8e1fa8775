package io.probelet.cli.status;

import io.probelet.agent.config.StateFolder;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import io.probelet.runtime.process.LogFolder;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.Severity;
import io.probelet.web.http.ContainerChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet logs}: the output of a container that runs as a local process. */
@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    header = "Print the output of a container",
    description =
        "Prints the output of a container that `probelet run` runs on this machine, since the"
            + " container's last start, also from rotated files. It reads only files of the log"
            + " folder. For a container of a runtime or a cluster it prints the command that shows"
            + " its log.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet logs web              the container that fails, else the first",
      "  probelet logs web httpd -p     what earlier instances wrote",
      "  probelet logs web -f --tail 20"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:the log was printed",
      " 1:another command has the log, or it cannot be read",
      " 2:no agent answers, there is no such container, or wrong usage"
    })
public final class LogsCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int ELSEWHERE = 1;
  private static final int UNKNOWN = 2;
  private static final int MAX_LINES = 1_000_000;
  private static final int MAX_PATH = 1_024;
  private static final int ALL = -1;
  private static final int POLL_MILLIS = 500;

  /** Once in two seconds. */
  private static final int POLLS_PER_QUESTION = 4;

  /** An agent that restarts is back before. */
  private static final int MAX_UNANSWERED = 3;

  /** Begins the id of a container that is a local process. */
  private static final String LOCAL = "process:";

  private static final Pattern RUNTIME_ID = Pattern.compile("[0-9a-f]{12,64}");

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "POD",
      description = "The pod; also NAMESPACE/POD or POD/CONTAINER.")
  private String pod;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CONTAINER",
      description = "The container (default: the first that fails, else the first that has run).")
  private @Nullable String container;

  @Option(
      names = {"-c", "--container"},
      paramLabel = "NAME",
      description = "The container, as an option.")
  private @Nullable String containerOption;

  @Mixin private NamespaceFilter namespaces = new NamespaceFilter();

  @Option(
      names = {"-f", "--follow"},
      description =
          "Print new output until the pod is removed or Ctrl-C is pressed, also after a restart.")
  private boolean follow;

  @Option(
      names = {"-p", "--previous"},
      description = "Print the output before the container's last start.")
  private boolean previous;

  @Option(
      names = "--tail",
      paramLabel = "LINES",
      defaultValue = "-1",
      description = "Print only so many of the last lines (default: all).")
  private int tail;

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      description =
          "The log directory of `probelet run` (default: logs in ~/.local/state/probelet, or below"
              + " $XDG_STATE_HOME).")
  private @Nullable Path logDir;

  @Mixin private AddressOption agent = new AddressOption();

  /** Created by the command line. */
  public LogsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    namespaces.check();
    if (previous) {
      IneffectiveOptions.refuse(spec, "with --previous", List.of("--follow"));
    }
    if (tail < ALL || tail > MAX_LINES) {
      throw new ParameterException(
          spec.commandLine(), "--tail must be from 0 to " + MAX_LINES + ", or -1 for all lines.");
    }
    if (container != null && containerOption != null) {
      throw new ParameterException(spec.commandLine(), "the container is named twice.");
    }
    ContainerView found;
    try {
      ContainerName name = ContainerName.parse(pod);
      if (name.isComplete()) {
        IneffectiveOptions.refuse(spec, "with NAMESPACE/POD/CONTAINER", List.of("--namespace"));
      }
      found = find(name);
    } catch (IllegalArgumentException | IOException unknown) {
      return failed(FailureReason.of(unknown), UNKNOWN);
    }
    if (!found.id().startsWith(LOCAL) || found.logPath().isEmpty()) {
      return failed(elsewhere(found), ELSEWHERE);
    }
    if (!agent.client().isLocal()) {
      return failed(
          "the log is a file on the agent's machine; run `probelet logs` there", ELSEWHERE);
    }
    if (!ContainerName.isValid(found)) {
      return failed("the agent answers invalid names of containers", ELSEWHERE);
    }
    LogFolder folder =
        logDir == null
            ? LogFolder.below(StateFolder.of(System.getenv()))
            : new LogFolder(logDir.toAbsolutePath());
    Path file = folder.file(found.namespace(), found.pod(), found.container());
    if (!isSame(found.logPath(), file)) {
      return failed(otherFile(found.logPath(), folder), ELSEWHERE);
    }
    try {
      return print(
          folder.requirePrivate().file(found.namespace(), found.pod(), found.container()), found);
    } catch (IOException unreadable) {
      return failed("cannot read " + file + ": " + FailureReason.of(unreadable), ELSEWHERE);
    }
  }

  private static boolean isSame(String path, Path file) {
    try {
      return Path.of(path).normalize().equals(file.normalize());
    } catch (InvalidPathException no) {
      return false;
    }
  }

  /** Any program can listen at the agent's address, so that its answer alone opens no file. */
  private static String otherFile(String path, LogFolder folder) {
    return "the agent reports the log file %s, which is not in the log folder %s; if you trust that path, name its folder with --log-dir"
        .formatted(ContainerCause.quoted(path, MAX_PATH), folder.path());
  }

  /** The container that is meant. */
  private ContainerView find(ContainerName name) throws IOException {
    String wanted = container == null ? containerOption : container;
    List<ContainerView> ofPod =
        name.findIn(
            agent.client().probed(1, ContainerChoice.ofNamespace(namespaces.name())), namespaces);
    List<ContainerView> named =
        ofPod.stream().filter(each -> wanted == null || each.container().equals(wanted)).toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "pod %s has no container %s; it has %s".formatted(pod, wanted, names(ofPod)));
    }
    ContainerView chosen = named.stream().min(Comparator.comparingInt(LogsCommand::rank)).get();
    if (named.size() > 1) {
      complain(
          "shows container %s (%s) of %s"
              .formatted(chosen.container(), chosen.state(), names(named)));
    }
    return chosen;
  }

  /** Whose output a user wants to see: of what fails, then of what has run. */
  private static int rank(ContainerView each) {
    if (each.id().isEmpty()) {
      return 3;
    }
    if (ContainerHealth.of(each).severity() == Severity.UNHEALTHY) {
      return 0;
    }
    return each.role().equals(ContainerView.INIT) ? 2 : 1;
  }

  private static String names(List<ContainerView> containers) {
    return containers.stream().map(ContainerView::container).collect(Collectors.joining(", "));
  }

  /** The command that prints the log of a container that is not a local process. */
  private String elsewhere(ContainerView found) {
    if (found.id().isEmpty()) {
      return "container " + found.container() + " has not started yet";
    }
    if (!ContainerName.isValid(found)) {
      return "the container is not a local process";
    }
    String kubectl =
        "kubectl logs -n %s %s -c %s%s%s"
            .formatted(
                found.namespace(),
                found.pod(),
                found.container(),
                previous ? " --previous" : "",
                follow ? " --follow" : "");
    String crictl = RUNTIME_ID.matcher(found.id()).matches() ? found.id() : "";
    return "the container is not a local process; run: "
        + kubectl
        + (crictl.isEmpty() ? "" : "; or on its node: crictl logs " + crictl);
  }

  private int print(Path path, ContainerView found) throws IOException, InterruptedException {
    boolean terminal = Terminal.standardOutput(System.getenv()).interactive();
    try (RotatedLog log = new RotatedLog(path)) {
      LogPrinter printer =
          new LogPrinter(log, spec.commandLine().getOut(), terminal, this::complain);
      if (previous) {
        printer.print(printer.seekPrevious(tail));
        return OK;
      }
      printer.seekNewest(tail);
      printer.printNew();
      return follow ? follow(printer, found) : OK;
    }
  }

  /** Prints what is written until the agent has the pod no longer, or does not answer. */
  private int follow(LogPrinter printer, ContainerView found)
      throws IOException, InterruptedException {
    ContainerChoice choice = new ContainerChoice(found.namespace(), found.pod(), found.container());
    CountDownLatch never = new CountDownLatch(1);
    int unanswered = 0;
    for (int poll = 1; !never.await(POLL_MILLIS, TimeUnit.MILLISECONDS); poll++) {
      boolean asks = poll % POLLS_PER_QUESTION == 0;
      boolean gone = false;
      String failure = "";
      try {
        gone = asks && agent.client().probed(0, choice).isEmpty();
        unanswered = asks ? 0 : unanswered;
      } catch (IOException noAnswer) {
        failure = FailureReason.of(noAnswer);
        unanswered++;
      }
      printer.printNew(); // also what was written before the pod was gone
      if (gone) {
        complain("the pod was removed; its log ends here");
        return OK;
      }
      if (unanswered == MAX_UNANSWERED) {
        return failed(failure, ELSEWHERE);
      }
    }
    return OK;
  }

  private void complain(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet logs: " + Terminal.line(what));
    err.flush();
  }

  private int failed(String why, int code) {
    complain(why);
    return code;
  }
}
