package io.probelet.runtime.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A command behind a gate: a shell that reads one line before it executes the program. If the agent
 * ends before it writes the line, the shell reads the end of its input and exits.
 *
 * <p>At the gate a confined command still has the agent's privileges. Variables of the manifest
 * must not be in the environment yet: {@code LD_PRELOAD} would run code before privileges are
 * dropped. So the variables have other names there, and a second shell, after the confinement, sets
 * them.
 */
record GatedCommand(List<String> words, Map<String, String> env) {
  /**
   * Shells drop variables with names that are invalid in shells; these are passed in another way.
   */
  private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Variables with a meaning in shells, or that some shells do not allow to set. */
  private static final Set<String> SHELLS_OWN =
      Set.of(
          "BASHOPTS",
          "BASH_ENV",
          "BASH_VERSINFO",
          "CDPATH",
          "ENV",
          "EUID",
          "IFS",
          "LINENO",
          "MAILCHECK",
          "OLDPWD",
          "OPTIND",
          "PPID",
          "PS1",
          "PS2",
          "PS4",
          "PWD",
          "SHELLOPTS",
          "UID");

  private static final String CARRIER = "PROBELET_ENV_";
  private static final String SHELL = "/bin/sh";
  private static final String NAME = "probelet";
  private static final String WAIT = "read -r _ && exec </dev/null ";
  private static final String SAME_PLACE = "2>&1";

  /**
   * Opens the pipe of standard output for reading, too. A container that reports its shutdown after
   * the agent has died would otherwise die of SIGPIPE before it is done.
   */
  private static final String HOLD_PIPE = "1<>/proc/self/fd/1 ";

  GatedCommand {
    words = List.copyOf(words);
    env = Collections.unmodifiableMap(new HashMap<>(env));
  }

  /**
   * Puts a command behind a gate.
   *
   * @param confinement what to put before the command, possibly nothing
   * @param survives whether the command goes on when nobody reads its output any longer
   */
  static GatedCommand of(ContainerCommand command, List<String> confinement, boolean survives) {
    String wait = WAIT + (survives ? HOLD_PIPE : "") + SAME_PLACE;
    Map<String, String> env = new HashMap<>();
    List<String> words = new ArrayList<>(List.of("setsid", SHELL, "-c"));
    if (confinement.isEmpty()) {
      words.addAll(List.of(wait + " && " + start(command, env, false), NAME));
    } else {
      words.addAll(List.of(wait + " && exec \"$@\"", NAME));
      words.addAll(confinement);
      words.addAll(List.of(SHELL, "-c", start(command, env, true), NAME));
    }
    words.addAll(command.words());
    return new GatedCommand(words, env);
  }

  /**
   * The shell's words that set the environment and start the program.
   *
   * @param late whether the second shell sets all variables
   */
  private static String start(ContainerCommand command, Map<String, String> env, boolean late) {
    StringBuilder exported = new StringBuilder();
    StringBuilder unset = new StringBuilder();
    StringBuilder dropped = new StringBuilder();
    StringBuilder carried = new StringBuilder();
    command
        .env()
        .forEach((name, value) -> {
          boolean plain = SHELL_NAME.matcher(name).matches();
          if (plain && !late) {
            env.put(name, value);
            return;
          }
          String carrier = CARRIER + env.size();
          env.put(carrier, value);
          if (plain && !SHELLS_OWN.contains(name)) {
            exported.append(" && export ").append(name).append("=\"$").append(carrier).append('"');
            unset.append(' ').append(carrier);
          } else {
            dropped.append(" -u ").append(carrier);
            carried.append(' ').append(quoted(name)).append("=\"$").append(carrier).append('"');
          }
        });
    StringBuilder start = new StringBuilder("true").append(exported);
    if (!unset.isEmpty()) {
      start.append(" && unset").append(unset);
    }
    start.append(" && exec");
    if (!carried.isEmpty()) {
      start.append(" /usr/bin/env").append(dropped).append(" --").append(carried);
    }
    return start.append(" \"$@\"").toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
