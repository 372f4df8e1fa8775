package io.probelet.monitor.plugin;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import io.probelet.process.Account;
import io.probelet.process.GroupCommand;
import io.probelet.process.PasswdFile;
import io.probelet.process.Programs;
import io.probelet.process.RootCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides how a plugin is started: as a session leader, with the allowed variables, as the user of
 * its file, and with no_new_privs, so that setuid programs and file capabilities give it no rights.
 */
final class PluginStart {
  /** Variables of this process that contain no secrets. */
  private static final List<String> KEPT = List.of("PATH", "HOME", "LANG", "TZ");

  /** The exit codes, as of a shell, if the plugin could not be started. */
  static final int FAILED = 127;

  /** The prefixes on standard error in this case. */
  private static final List<String> STARTERS =
      List.of("setsid: ", "setpriv: ", RootCommand.COMPLAINT);

  private PluginStart() {}

  /** {@return whether plugins can be started in this program's own filesystem} */
  static boolean canStart(String path) {
    return Programs.find("setsid", path).isPresent() && Programs.find("setpriv", path).isPresent();
  }

  /**
   * Prepares a plugin that runs in the node's root directory.
   *
   * @param ours the variables of this process, whose paths are not the node's
   * @throws IOException if the user does not exist, or a program to start it is missing; the
   *     message names it
   */
  static GroupCommand of(
      PluginRule rule, PluginFile.OnNode file, Machine node, Map<String, String> ours)
      throws IOException {
    PluginProcess process = rule.process();
    Map<String, String> env = new HashMap<>(Map.of("PATH", PluginFile.NODE_PATH));
    pass(ours, List.of("LANG", "TZ"), env);
    Account account = Account.current();
    if (!process.user().isEmpty()) {
      account = account(process.user(), new PasswdFile(node.seen(PasswdFile.SYSTEM.file())));
    }
    env.put("HOME", account.home());
    pass(ours, process.passEnv(), env);
    env.putAll(process.env());
    List<String> words = new ArrayList<>(List.of(file.program()));
    words.addAll(rule.args());
    return new RootCommand(node.root(), account, file.carried(), words).with(env);
  }

  /**
   * Prepares a plugin.
   *
   * @throws IOException if the user does not exist; the message names it
   */
  static GroupCommand of(PluginRule rule, Map<String, String> ours) throws IOException {
    PluginProcess process = rule.process();
    Map<String, String> env = new HashMap<>(Map.of("PATH", PluginFile.NODE_PATH));
    pass(ours, KEPT, env);
    List<String> words = new ArrayList<>(List.of("setpriv", "--no-new-privs"));
    if (!process.user().isEmpty()) {
      Account account = account(process.user(), PasswdFile.SYSTEM);
      env.put("HOME", account.home());
      if (!account.isSameAs(Account.current())) { // requires root
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
    return GroupCommand.leading(words, env);
  }

  /**
   * Finds the user that a monitor file names.
   *
   * @param user a name, {@code UID} or {@code UID:GID}
   * @throws IOException if the user does not exist, or the users cannot be read
   */
  static Account account(String user, PasswdFile users) throws IOException {
    if (!Character.isDigit(user.charAt(0))) {
      return users
          .byName(user)
          .orElseThrow(() ->
              new IOException(
                  "user "
                      + user
                      + " is not in "
                      + users.file()
                      + "; numbers such as 65534:65534 need no entry there"));
    }
    List<String> parts = List.of(user.split(":", -1));
    long uid = Long.parseLong(parts.getFirst());
    // A user without an entry gets the group of the same number, not root's.
    Account known = users.byId(uid).orElse(new Account(uid, uid, Account.NO_HOME));
    long gid = parts.size() > 1 ? Long.parseLong(parts.get(1)) : known.gid();
    return new Account(uid, gid, known.home());
  }

  private static void pass(Map<String, String> from, List<String> names, Map<String, String> to) {
    for (String name : names) {
      String value = from.get(name);
      if (value != null) {
        to.put(name, value);
      }
    }
  }

  /** {@return whether the programs that start the plugin failed, not the plugin itself} */
  static boolean isComplaint(int exitCode, String errors) {
    return exitCode == FAILED && STARTERS.stream().anyMatch(errors::startsWith);
  }
}
