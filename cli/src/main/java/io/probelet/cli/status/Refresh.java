package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** Shows what an agent answers, once or again and again until the process is ended. */
final class Refresh {
  private static final int OK = 0;
  private static final int NO_AGENT = 2;

  private final CommandSpec spec;
  private final AgentOptions options;

  Refresh(CommandSpec spec, AgentOptions options) {
    this.spec = spec;
    this.options = options;
  }

  /** What is asked for. */
  interface Question {
    /**
     * {@return lines for people, the first of them a title}
     *
     * @throws IOException if there is no answer; the message is for the user
     */
    List<String> lines(AgentClient agent, Colours colours) throws IOException;

    /** {@return whether the last lines matter most where there is no room for all} */
    default boolean newestLast() {
      return false;
    }

    /**
     * {@return lines to add to those before; for a watch whose output is no terminal}
     *
     * @param before what was there in the round before, kept by this
     * @throws IOException if there is no answer; the message is for the user
     */
    default List<String> added(AgentClient agent, Colours colours, boolean json, Set<Object> before)
        throws IOException {
      List<String> lines = json ? List.of(json(agent)) : lines(agent, colours);
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
      return once(question, agent, terminal.colours(), out);
    }
    if (options.json() || !terminal.interactive()) {
      return changes(question, agent, terminal.colours(), out);
    }
    FullScreen screen = terminal.fullScreen(out);
    RefreshLoop.run(() -> {
      List<String> lines = answer(question, agent, terminal.colours());
      screen.show(question.newestLast() ? newest(lines, terminal.rows()) : lines);
    });
    return OK;
  }

  private int once(Question question, AgentClient agent, Colours colours, PrintWriter out) {
    try {
      if (options.json()) {
        out.println(question.json(agent));
      } else {
        question.lines(agent, colours).forEach(out::println);
      }
      out.flush();
      return OK;
    } catch (IOException noAnswer) {
      return missing(String.valueOf(noAnswer.getMessage()));
    }
  }

  private static List<String> answer(Question question, AgentClient agent, Colours colours) {
    try {
      return question.lines(agent, colours);
    } catch (IOException noAnswer) {
      return List.of(String.valueOf(noAnswer.getMessage()));
    }
  }

  /** The title, and as many of the last lines as there is room for. */
  private static List<String> newest(List<String> lines, int room) {
    if (lines.size() <= room) {
      return lines;
    }
    List<String> shown = new ArrayList<>(lines.subList(lines.size() - room, lines.size()));
    shown.set(0, lines.getFirst());
    return shown;
  }

  /** What was not there in the round before. */
  private int changes(Question question, AgentClient agent, Colours colours, PrintWriter out)
      throws InterruptedException {
    Set<Object> before = new HashSet<>();
    RefreshLoop.run(() -> {
      try {
        question.added(agent, colours, options.json(), before).forEach(out::println);
        out.flush();
      } catch (IOException noAnswer) {
        var _ = missing(String.valueOf(noAnswer.getMessage()));
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
