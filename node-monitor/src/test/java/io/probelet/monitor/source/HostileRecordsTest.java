package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.monitor.HostileLines;
import io.probelet.monitor.HostileLines.Hostile;
import io.probelet.monitor.KernelLines;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.log.LogMatcher;
import io.probelet.monitor.log.OomLines;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.source.KmsgSource.KernelRecords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Issue 37, A: no name that a process chooses is evidence, wherever the kernel writes it. */
@Timeout(300)
class HostileRecordsTest {
  private static final Instant BOOT = Instant.parse("2026-11-21T12:00:00Z");
  private static final String KILLED =
      "Memory cgroup out of memory: Killed process 7 (x) total-vm:1kB, anon-rss:1kB, file-rss:0kB";

  private static final Monitor.Log KERNEL =
      DefaultMonitors.with(List.of()).stream()
          .filter(Monitor.Log.class::isInstance)
          .map(Monitor.Log.class::cast)
          .filter(monitor -> monitor.input() instanceof LogInput.Kmsg)
          .findFirst()
          .orElseThrow();

  /** What the built-in rules make of what a source hands over, as LogWatch asks them. */
  private static final class Judge implements LineSource.Sink, LogMatcher.Listener {
    final Set<String> found = new TreeSet<>();
    private final LogMatcher matcher =
        new LogMatcher(KERNEL.rules(), KERNEL.bufferSize(), LineFormat.PLAIN);
    private OomLines oom = new OomLines();

    /** What was found since, of which the next record knows nothing. */
    Set<String> take() {
      Set<String> taken = new TreeSet<>(found);
      found.clear();
      oom = new OomLines();
      return taken;
    }

    @Override
    public void line(String text, Instant at) {
      oom.take(text);
      var _ = matcher.take(text, at, this);
      oom.victim(KILLED)
          .filter(pod -> pod.pod().podUid().equals(HostileLines.VICTIM))
          .ifPresent(_ -> found.add("another's pod"));
    }

    @Override
    public void foreignLine(String text, Instant at) {
      if (!(KERNEL.input() instanceof LogInput.Kmsg(_, boolean kernelOnly) && kernelOnly)) {
        line(text, at);
      }
    }

    @Override
    public void matched(int rule, String text, String device, Instant at) {
      LogRule matched = KERNEL.rules().get(rule);
      found.add(
          (matched.consequence() instanceof Consequence.OnCondition ? "condition " : "")
              + matched.consequence().reason());
    }

    @Override
    public void cleared(int rule, String device, Instant at) {
      found.add("cleared " + KERNEL.rules().get(rule).consequence().reason());
    }

    @Override
    public void unread(String why) {}

    @Override
    public void upToDate() {}

    @Override
    public void gap(long lines, String why) {}
  }

  private final Judge judge = new Judge();

  /** As the kernel escapes a message for /dev/kmsg. */
  private static String escaped(String message) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : message.getBytes(UTF_8)) {
      int value = each & 0xff;
      if (value < 0x20 || value >= 0x7f || value == '\\') {
        escaped.append("\\x%02x".formatted(value));
      } else {
        escaped.append((char) value);
      }
    }
    return escaped.toString();
  }

  /** Through /dev/kmsg, as bytes. */
  private Set<String> fromDevice(String prefix, String message) {
    KernelRecords records = new KernelRecords(judge, BOOT, KernelPlace.NONE);
    byte[] bytes = (prefix + ";" + escaped(message) + "\n").getBytes(ISO_8859_1);
    new LogLineSplitter().take(bytes, 0, bytes.length, line -> records.line(line, BOOT));
    return judge.take();
  }

  /** Through syslog(2): the kernel writes its prefix before each line of a record. */
  private Set<String> fromBuffer(String prefix, String message) {
    String text =
        Stream.of(message.split("\n", -1))
            .map(line -> prefix + line)
            .collect(Collectors.joining("\n"));
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    KernelBuffer buffer =
        new KernelBuffer() {
          @Override
          public int size() {
            return bytes.length;
          }

          @Override
          public byte[] end(int atMost) {
            return bytes;
          }
        };
    KernelBufferSource source =
        new KernelBufferSource(buffer, BOOT, "", SystemClock.INSTANCE, Duration.ofHours(1));
    source.close(); // after the first round
    try {
      source.run(judge);
    } catch (IOException | InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
    return judge.take();
  }

  /** The records that a rule matches wrongly. */
  private List<String> deceived(BiFunction<String, String, Set<String>> source, String prefix) {
    List<String> deceived = new ArrayList<>();
    HostileLines.all()
        .forEach(hostile -> {
          Set<String> found = new TreeSet<>(source.apply(prefix, hostile.text()));
          found.remove(hostile.own());
          if (!found.isEmpty()) {
            deceived.add(found + " from " + hostile.text());
          }
        });
    return deceived;
  }

  @Test
  @DisplayName("A-11 names in records of /dev/kmsg: no condition, nothing cleared, no other pod")
  void device() {
    assertThat(deceived(this::fromDevice, "6,1,9000000,-")).isEmpty();
    assertThat(deceived(this::fromDevice, "4,1,9000000,-,caller=T12")).isEmpty();
  }

  @Test
  @DisplayName("A-11 names in records of syslog(2), newlines included")
  void buffer() {
    assertThat(deceived(this::fromBuffer, "<6>[    9.000000] ")).isEmpty();
    assertThat(deceived(this::fromBuffer, "<4>[    9.000000][  T12] ")).isEmpty();
  }

  @Test
  @DisplayName("A-11 text written to /dev/kmsg, and fragments, are not kernel records")
  void foreign() {
    for (String line : HostileLines.bare().toList()) {
      assertThat(fromDevice("12,1,9000000,-", line)).as(line).isEmpty();
      assertThat(fromDevice("8,1,9000000,-,caller=T12", line)).as(line).isEmpty();
      assertThat(fromDevice("6,1,9000000,c", line)).as(line).isEmpty();
      assertThat(fromBuffer("<12>[    9.000000] ", line)).as(line).isEmpty();
      assertThat(fromBuffer("<6>", "x[4242]: segfault at 0\n" + line)).as("no time").isEmpty();
    }
  }

  @Test
  @DisplayName("A-11 the kernel's own records are read through both sources")
  void genuine() {
    for (KernelLines.Example example : KernelLines.KERNEL) {
      Set<String> expected = Set.of(example.reasons());
      assertThat(fromDevice("3,1,9000000,-", example.line())).isEqualTo(expected);
      assertThat(fromBuffer("<3>[    9.000000] ", example.line())).isEqualTo(expected);
    }
    assertThat(HostileLines.all().map(Hostile::own).collect(Collectors.toSet()))
        .contains("TaskHung", "OOMKilling", "Ext4Error");
  }

  @Test
  @DisplayName("A-11 a later line of a reported record is not a separate record")
  void restOfARecord() {
    String first = "<6>[    9.000000] x[1]: segfault at 0 in x\n";
    String rest = "<6>[    9.000000] [Hardware Error]: event severity: fatal\n";
    StringBuilder log = new StringBuilder(first);
    KernelBuffer buffer =
        new KernelBuffer() {
          @Override
          public int size() {
            return log.length();
          }

          @Override
          public byte[] end(int atMost) {
            byte[] all = log.toString().getBytes(UTF_8);
            if (log.length() == first.length()) {
              log.append(rest);
            } else if (log.length() == first.length() + rest.length()) {
              log.append("<6>[   10.000000] NVRM: Xid (PCI:0000:3b:00): 13, x\n");
            }
            return all;
          }
        };
    KernelBufferSource source =
        new KernelBufferSource(buffer, BOOT, "", SystemClock.INSTANCE, Duration.ofMillis(1));
    judgeUntil(source, "GpuXid");
    assertThat(judge.found).containsExactly("GpuXid");
  }

  private void judgeUntil(KernelBufferSource source, String reason) {
    LineSource.Sink until =
        new LineSource.Sink() {
          @Override
          public void line(String text, Instant at) {
            judge.line(text, at);
            if (judge.found.contains(reason)) {
              source.close();
            }
          }

          @Override
          public void foreignLine(String text, Instant at) {
            judge.foreignLine(text, at);
          }

          @Override
          public void upToDate() {}

          @Override
          public void gap(long lines, String why) {}
        };
    try {
      source.run(until);
    } catch (IOException | InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
