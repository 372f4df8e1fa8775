package io.probelet.monitor.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import io.probelet.process.Account;
import io.probelet.process.PasswdFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issue 14, B5: what a plugin inherits from the agent. */
class PluginProcessTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** What this program has, here in place of the variables of the process. */
  private static final Map<String, String> OURS =
      Map.of("PATH", "/usr/bin:/bin", "HOME", "/root", "SECRET", "s3cr3t", "NODE_NAME", "worker-1");

  private static PluginResult run(PluginProcess process, String... command)
      throws InterruptedException {
    List<String> args = Arrays.asList(command).subList(1, command.length);
    PluginRule rule =
        new PluginRule(
            new Consequence.EventOnly("R", EvidenceThreshold.NONE),
            command[0],
            args,
            TIMEOUT,
            TIMEOUT,
            process);
    Machine machine =
        Machine.of(
            Path.of("/"), Path.of("/tmp"), Optional.empty(), SystemClock.INSTANCE, new Random(1));
    return new PluginRun(
            rule, 4096, new BuiltIns(machine, JournalAccess.USUAL, () -> Instant.EPOCH, OURS))
        .run();
  }

  private static String said(PluginProcess process, String... command) throws InterruptedException {
    PluginResult result = run(process, command);
    assertThat(result).isInstanceOf(PluginResult.Ran.class);
    return ((PluginResult.Ran) result).message();
  }

  /** Lines are joined, as the text of a condition has one. */
  private static String script(String body) {
    return "{ " + body + "; } | tr '\\n' ' '";
  }

  private static Set<String> variables(PluginProcess process) throws InterruptedException {
    String all =
        said(process, "/bin/sh", "-c", script("cut -z -d= -f1 /proc/$$/environ | tr '\\0' ' '"));
    return Arrays.stream(all.split(" ", -1)).collect(Collectors.toSet());
  }

  @Test
  @DisplayName("B5 a plugin sees PATH, HOME, LANG and TZ of the agent's variables, and no secret")
  void environment() throws Exception {
    assertThat(System.getenv().keySet()).isNotEmpty();
    assertThat(variables(PluginProcess.DEFAULT))
        .contains("PATH", "HOME")
        .isSubsetOf("PATH", "HOME", "LANG", "TZ");
  }

  @Test
  @DisplayName("B5 a file may add variables, with values or from the agent")
  void configured() throws Exception {
    PluginProcess process =
        new PluginProcess("", Map.of("A", "b c", "HOME", "/nowhere"), List.of("NODE_NAME", "NONE"));
    assertThat(variables(process)).contains("A", "NODE_NAME").doesNotContain("SECRET", "NONE");
    assertThat(said(process, "/bin/sh", "-c", "echo $A $HOME $NODE_NAME"))
        .isEqualTo("b c /nowhere worker-1");
  }

  @ParameterizedTest
  @CsvSource({"''", "65534:65534"})
  @DisplayName("B5 a plugin gains no rights by running programs, as any user")
  void noNewPrivileges(String user) throws Exception {
    assumeThat(user.isEmpty() || Account.current().uid() == 0).as("we are root").isTrue();
    PluginProcess process = new PluginProcess(user, Map.of(), List.of());
    assertThat(said(process, "/bin/sh", "-c", "grep NoNewPrivs /proc/self/status"))
        .matches("NoNewPrivs:\\s*1");
  }

  @ParameterizedTest
  @CsvSource({
    "nobody, 65534 65534 65534 /nonexistent",
    "daemon, 1 1 1 /usr/sbin",
    "65534, 65534 65534 65534 /nonexistent",
    "54321, 54321 54321 54321 /",
    "54321:321, 54321 321 321 /"
  })
  @DisplayName("B5 a plugin runs as the user of its file, in the user's groups only")
  void user(String user, String ids) throws Exception {
    assumeThat(Account.current().uid()).as("we are root").isZero();
    PluginProcess process = new PluginProcess(user, Map.of(), List.of());
    assertThat(said(process, "/bin/sh", "-c", script("id -u; id -g; id -G; echo $HOME")))
        .isEqualTo(ids);
    assertThat(
            said(
                process,
                "/bin/sh",
                "-c",
                script("grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status")))
        .matches("(Cap(Inh|Prm|Eff|Amb):\\s*0{16}\\s*){4}");
  }

  @Test
  @DisplayName("B5 without a user it runs as the agent's user and groups")
  void ownUser() throws Exception {
    Account own = Account.current();
    String ids = own.uid() + " " + own.gid();
    assertThat(said(PluginProcess.DEFAULT, "/bin/sh", "-c", script("id -u; id -g"))).isEqualTo(ids);
    PluginProcess named = new PluginProcess(own.uid() + ":" + own.gid(), Map.of(), List.of());
    assertThat(said(named, "/bin/sh", "-c", script("id -u; id -g"))).isEqualTo(ids);
  }

  @Test
  @DisplayName("B5 with an unknown user the plugin does not run, and the message says why")
  void unknownUser() throws Exception {
    assertThat(run(new PluginProcess("no-such-user", Map.of(), List.of()), "/bin/true"))
        .isEqualTo(
            new PluginResult.NotRun(
                "/bin/true cannot be run: user no-such-user is not in /etc/passwd"
                    + "; numbers such as 65534:65534 need no entry there"));
  }

  @Test
  @DisplayName("B5 if the user cannot be changed, or setpriv is missing, the plugin does not run")
  void notStarted() throws Exception {
    assertThat(run(new PluginProcess("", Map.of("PATH", "/nowhere"), List.of()), "/bin/true"))
        .isInstanceOfSatisfying(
            PluginResult.NotRun.class,
            not ->
                assertThat(not.why())
                    .startsWith("/bin/true cannot be run: setpriv is not in PATH /nowhere"));
    assertThat(
            run(PluginProcess.DEFAULT, "/bin/sh", "-c", "echo 'setpriv: is my name' >&2; exit 127"))
        .as("a plugin that only says so")
        .isInstanceOf(PluginResult.NotRun.class);
    assertThat(run(PluginProcess.DEFAULT, "/bin/sh", "-c", "exit 127"))
        .isEqualTo(new PluginResult.Ran(ConditionStatus.UNKNOWN, "", false));
  }

  @Test
  @DisplayName("B5 accounts are read from /etc/passwd; invalid lines are ignored")
  void accounts() throws Exception {
    Path passwd = Files.createTempFile("passwd", "");
    PasswdFile users = new PasswdFile(passwd);
    Files.writeString(
        passwd, "root:x:0:0:root:/root:/bin/sh\n\nbroken\n+::::::\nme:x:7:x:::\nus:x:7:8::/us:\n");
    try {
      assertThat(PluginStart.account("us", users)).isEqualTo(new Account(7, 8, "/us"));
      assertThat(PluginStart.account("7", users)).isEqualTo(new Account(7, 8, "/us"));
      assertThat(PluginStart.account("7:9", users)).isEqualTo(new Account(7, 9, "/us"));
      assertThat(PluginStart.account("10", users)).isEqualTo(new Account(10, 10, "/"));
    } finally {
      Files.delete(passwd);
    }
  }
}
