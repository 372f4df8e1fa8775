package io.probelet.cli.status;

import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** Shows an agent's answer, once or with {@code --watch} until the process ends. */
final class Refresh {
  private static final int OK = 0;
  private static final int NO_AGENT = 2;

  private final CommandSpec spec;
  private final AgentOptions options;

  Refresh(CommandSpec spec, AgentOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /** A query, and how its answer is shown. */
  interface Question {
    /**
     * {@return lines for people, the first of them a title}
     *
     * @throws IOException if there is no answer; the message is for the user
     */
    List<String> lines(AgentClient agent, Terminal terminal) throws IOException;

    /** {@return whether the last lines matter most if not all fit} */
    default boolean newestLast() {
      return false;
    }

    /**
     * {@return lines to add to the earlier ones, for a watch whose output is not a terminal}
     *
     * @param before the lines of the previous round; updated
     * @throws IOException if there is no answer; the message is for the user
     */
    default List<String> added(
        AgentClient agent, Terminal terminal, boolean json, Set<Object> before) throws IOException {
      List<String> lines = json ? List.of(json(agent)) : lines(agent, terminal);
      List<String> added = lines.stream().filter(line -> !before.contains(line)).toList();
      before.clear();
      before.addAll(lines);
      return added;
    }

    /**
     * {@return the same as one JSON document}
     *
     * @throws IOException if there is no answer; the message is for the user
     */
    String json(AgentClient agent) throws IOException;
  }

  /** {@return the exit code} */
  int show(Question question) throws InterruptedException {
    AgentClient agent;
    try {
      agent = options.client();
    } catch (IllegalArgumentException unknown) {
      return missing(String.valueOf(unknown.getMessage()));
    }
    Terminal terminal = Terminal.standardOutput(System.getenv());
    PrintWriter out = spec.commandLine().getOut();
    if (!options.watch()) {
      return once(question, agent, terminal, out);
    }
    if (options.json() || !terminal.interactive()) {
      return changes(question, agent, terminal, out);
    }
    FullScreen screen = terminal.fullScreen(out);
    RefreshLoop.run(() -> {
      List<String> lines = answer(question, agent, terminal);
      screen.show(question.newestLast() ? newest(lines, terminal.rows()) : lines);
    });
    return OK;
  }

  private int once(Question question, AgentClient agent, Terminal terminal, PrintWriter out) {
    try {
      if (options.json()) {
        out.println(question.json(agent));
      } else {
        question.lines(agent, terminal).forEach(out::println);
      }
      out.flush();
      return OK;
    } catch (IOException noAnswer) {
      return missing(FailureReason.of(noAnswer));
    }
  }

  private static List<String> answer(Question question, AgentClient agent, Terminal terminal) {
    try {
      return question.lines(agent, terminal);
    } catch (IOException noAnswer) {
      return List.of(FailureReason.of(noAnswer));
    }
  }

  /** The title, and as many of the last lines as fit. */
  private static List<String> newest(List<String> lines, int room) {
    if (lines.size() <= room) {
      return lines;
    }
    List<String> shown = new ArrayList<>(lines.subList(lines.size() - room, lines.size()));
    shown.set(0, lines.getFirst());
    return shown;
  }

  /** Prints what the previous round did not have. */
  private int changes(Question question, AgentClient agent, Terminal terminal, PrintWriter out)
      throws InterruptedException {
    Set<Object> before = new HashSet<>();
    RefreshLoop.run(() -> {
      try {
        question.added(agent, terminal, options.json(), before).forEach(out::println);
        out.flush();
      } catch (IOException noAnswer) {
        var _ = missing(FailureReason.of(noAnswer));
      }
    });
    return OK;
  }

  private int missing(String why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(why);
    err.flush();
    return NO_AGENT;
  }
}
