package io.probelet.monitor.log;

import static io.probelet.monitor.MonitorFiles.example;
import static io.probelet.monitor.MonitorFiles.log;
import static io.probelet.monitor.MonitorFiles.permanent;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.track.Evidence;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogMatcherTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");

  private final List<String> told = new ArrayList<>();

  private void feed(Monitor.Log monitor, String... lines) {
    feed(monitor, LineFormat.PLAIN, lines);
  }

  private void feed(Monitor.Log monitor, LineFormat format, String... lines) {
    LogMatcher matcher = new LogMatcher(monitor.rules(), monitor.bufferSize(), format);
    for (String line : lines) {
      matcher.take(
          line,
          AT,
          new LogMatcher.Listener() {
            @Override
            public void matched(int rule, String text, String device, Instant at) {
              LogRule matched = monitor.rules().get(rule);
              told.add(matched.consequence().reason() + "@" + at + ": " + text);
            }

            @Override
            public void unread(String why) {
              told.add("unread: " + why);
            }

            @Override
            public void cleared(int rule, String device, Instant at) {
              told.add("cleared " + monitor.rules().get(rule).consequence().reason());
            }
          });
    }
  }

  @Test
  @DisplayName("NM-1 the documented kernel monitor sees an OOM kill")
  void oomKill() {
    feed(
        (Monitor.Log) read(example("kernel-monitor.json")),
        "usb 1-1: new device",
        "Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB");
    assertThat(told)
        .containsExactly(
            "OOMKilling@2026-11-21T12:00:00Z: "
                + "Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB");
  }

  @Test
  @DisplayName("Characters beyond Latin 1 beside a pattern's text do not hide it")
  void anyAlphabet() {
    String line =
        "\u043e\u043e\u043c? Killed process 1 (\u20ac\ud83d\ude00) total-vm:1kB, anon-rss:1kB,"
            + " file-rss:0kB";
    feed((Monitor.Log) read(example("kernel-monitor.json")), line);
    assertThat(told).containsExactly("OOMKilling@2026-11-21T12:00:00Z: " + line);
  }

  @Test
  @DisplayName("A-2 a pattern spans the lines of the buffer, joined by newlines, and no more")
  void severalLines() {
    Monitor.Log monitor =
        (Monitor.Log)
            read(
                """
                {'plugin':'kmsg','source':'s','bufferSize':3,
                 'rules':[{'type':'temporary','reason':'R','pattern':'begin\\\\n.*\\\\nend'}]}\
                """);
    feed(monitor, "begin", "x", "end", "begin", "x", "y", "end");
    assertThat(told).containsExactly("R@2026-11-21T12:00:00Z: begin x end");
  }

  @Test
  @DisplayName("NM-3 in a|b without a group, a counts as long as it is in the buffer")
  void alternation() {
    feed(log(permanent("R", "aaa|bbb")), "bbb", "bbb x", "aaa x", "y");
    assertThat(told).hasSize(3).allMatch(event -> event.startsWith("R@"));
  }

  @Test
  @DisplayName("B-1 a clear pattern is distinguished from the pattern")
  void clearing() {
    feed(
        log(
            "{'type':'permanent','condition':'Sick','reason':'R','pattern':'link down',"
                + "'clearPattern':'link up'}"),
        "eth0: link down",
        "eth0: link up");
    assertThat(told).containsExactly("R@2026-11-21T12:00:00Z: eth0: link down", "cleared R");
  }

  @Test
  @DisplayName("A-1 patternGeneratedMessageSuffix follows what matched")
  void suffix() {
    feed(
        log(
            "{'type':'temporary','reason':'R','pattern':'oops.*',"
                + "'patternGeneratedMessageSuffix':'see runbook 7'}"),
        "oops: again");
    assertThat(told).containsExactly("R@2026-11-21T12:00:00Z: oops: again; see runbook 7");
  }

  @Test
  @DisplayName("NM-9 percent signs and braces stay, escape sequences and control characters go")
  void textIsData() {
    feed(log(permanent("R", "bad .*")), "bad %d %s {} \u001b[31mred\u001b[0m \u0007\u202Eend");
    assertThat(told).containsExactly("R@2026-11-21T12:00:00Z: bad %d %s {} red end");
  }

  @Test
  @DisplayName("B-14 long text is truncated, never within a character")
  void bounded() {
    feed(log(permanent("R", "bad.*")), "bad" + "😀".repeat(5_000));
    assertThat(told)
        .singleElement()
        .satisfies(event -> {
          assertThat(event).hasSizeLessThan(Evidence.MAX_CHARS + 40);
          assertThat(Character.isLowSurrogate(event.charAt(event.length() - 1))).isTrue();
        });
  }

  @Test
  @DisplayName("A-1 filelog: message and time come from the line, other lines are skipped")
  void textFile() {
    Monitor.Log monitor =
        (Monitor.Log)
            read(
                """
                {'plugin':'filelog','source':'s','logPath':'/x','pluginConfig':{
                   'timestamp':'^\\\\S+','message':'smartd: (.*)','timestampFormat':'2006-01-02T15:04:05Z07:00'},
                 'rules':[{'type':'temporary','reason':'R','pattern':'^.*unreadable sectors'}]}\
                """);
    feed(
        monitor,
        new TextFormat((LogInput.TextFile) monitor.input(), ZoneOffset.UTC),
        "no time smartd: 1 unreadable sectors",
        "2026-11-20T01:02:03Z smartd: 8 unreadable sectors",
        "2026-11-20T01:02:03Z other: 8 unreadable sectors");
    assertThat(told)
        .containsExactly(
            "unread: timestamp \"no\" does not match \"2006-01-02T15:04:05Z07:00\"",
            "R@2026-11-20T01:02:03Z: 8 unreadable sectors");
  }

  @Test
  @DisplayName("A-2 unparseable lines take no place in the buffer")
  void noEntryTakesNoPlace() {
    Monitor.Log monitor =
        (Monitor.Log)
            read(
                """
                {'plugin':'filelog','source':'s','logPath':'/x','bufferSize':2,'pluginConfig':{
                   'timestamp':'^[0-9:]{8}','message':'app: (.*)','timestampFormat':'15:04:05'},
                 'rules':[{'type':'temporary','reason':'R','pattern':'begin\\nend'}]}\
                """);
    feed(
        monitor,
        new TextFormat((LogInput.TextFile) monitor.input(), ZoneOffset.UTC),
        "12:00:00 app: begin",
        "12:00:00 other: x",
        "  at a stack trace",
        "12:00:00 app: end");
    assertThat(told)
        .containsExactly(
            "unread: no timestamp matches ^[0-9:]{8}", "R@2026-11-21T12:00:00Z: begin end");
  }

  @Test
  @DisplayName("A-4 the message is all of the lines in which a pattern matched")
  void wholeLines() {
    feed(
        log(permanent("R", "I/O error") + "," + permanent("S", "begin\\\\n.*end")),
        "dev sda, sector 8: I/O error",
        "the begin",
        "and the end");
    assertThat(told)
        .containsExactly(
            "R@2026-11-21T12:00:00Z: dev sda, sector 8: I/O error",
            "S@2026-11-21T12:00:00Z: the begin and the end");
  }

  @Test
  @DisplayName("A-4 of a line that is too long, the match is shown")
  void wholeLineTooLong() {
    feed(log(permanent("R", "I/O error .*")), "x".repeat(2_000) + "I/O error on sda");
    assertThat(told).containsExactly("R@2026-11-21T12:00:00Z: I/O error on sda");
  }

  @Test
  @DisplayName("A-2 the literal prefilter finds the same as matching every line")
  void sameWithAndWithoutPrefilter() {
    Random random = new Random(7);
    String[] words = {"disk", "error", "on", "sda", "sdb", "I/O", "reset", "link", "down"};
    String[] patterns = {
      "I/O error", "disk.*error", "sd[ab] reset", "link (is )?down", "error|reset", "on sda"
    };
    for (String pattern : patterns) {
      told.clear();
      List<String> lines = new ArrayList<>();
      for (int line = 0; line < 2_000; line++) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < 5; word++) {
          text.append(words[random.nextInt(words.length)]).append(' ');
        }
        lines.add(text.toString().strip());
      }
      // The group around it hides the plain text, so every line is matched.
      feed(log(permanent("R", pattern)), lines.toArray(String[]::new));
      List<String> quick = List.copyOf(told);
      told.clear();
      String hidden = pattern.contains("|") ? "(?:error)|(?:reset)" : "(?:" + pattern + ")";
      feed(log(permanent("R", hidden)), lines.toArray(String[]::new));
      assertThat(quick).as(pattern).isNotEmpty().isEqualTo(told);
    }
  }
}
