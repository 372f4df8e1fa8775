package io.probelet.monitor.plugin;

import io.probelet.monitor.rule.PluginProcess;
import io.probelet.monitor.rule.PluginRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a plugin is started: as the leader of a session, with the variables that it is meant to see,
 * as the user of its file, and without a way to more rights than that user's: setuid programs and
 * file capabilities give it none.
 *
 * @param words the command
 * @param env all of its variables
 */
record PluginStart(List<String> words, Map<String, String> env) {
  /** Variables of this program that nobody keeps secrets in. */
  private static final List<String> KEPT = List.of("PATH", "HOME", "LANG", "TZ");

  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /** What it exits with, like a shell, if the plugin could not be started. */
  static final int FAILED = 127;

  /** Who speaks on standard error then. */
  private static final List<String> STARTERS = List.of("setsid: ", "setpriv: ");

  /** Copies the collections. */
  PluginStart {
    words = List.copyOf(words);
    env = Map.copyOf(env);
  }

  /**
   * Finds out how.
   *
   * @param ours the variables of this program
   * @throws IOException if there is no such user; the message says which
   */
  static PluginStart of(PluginRule rule, Map<String, String> ours) throws IOException {
    PluginProcess process = rule.process();
    Map<String, String> env = new HashMap<>(Map.of("PATH", DEFAULT_PATH));
    pass(ours, KEPT, env);
    List<String> words = new ArrayList<>(List.of("setsid", "setpriv", "--no-new-privs"));
    if (!process.user().isEmpty()) {
      Account account = Account.of(process.user());
      env.put("HOME", account.home());
      if (!account.isSameAs(Account.current())) { // which only root could ask for
        words.addAll(
            List.of(
                "--reuid=" + account.uid(),
                "--regid=" + account.gid(),
                "--clear-groups",
                "--inh-caps=-all"));
      }
    }
    words.add("--");
    words.add(rule.path());
    words.addAll(rule.args());
    pass(ours, process.passEnv(), env);
    env.putAll(process.env());
    return new PluginStart(words, env);
  }

  private static void pass(Map<String, String> from, List<String> names, Map<String, String> to) {
    for (String name : names) {
      String value = from.get(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }

  /** {@return whether it was those who start the plugin that complained, rather than the plugin} */
  static boolean isComplaint(int exitCode, String errors) {
    return exitCode == FAILED && STARTERS.stream().anyMatch(errors::startsWith);
  }
}
