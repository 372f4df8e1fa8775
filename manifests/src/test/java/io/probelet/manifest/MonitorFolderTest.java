package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.rule.Monitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Monitor files that change while they are in use. */
class MonitorFolderTest {
  @TempDir Path folder;
  private volatile List<String> sources = List.of();

  private static String monitor(String source) {
    return """
    {"plugin": "kmsg", "logPath": "/dev/kmsg", "source": "%s", "conditions": [],
     "rules": [{"type": "temporary", "reason": "Oops", "pattern": "oops"}]}
    """
        .formatted(source);
  }

  private MonitorFolder watch() {
    MonitorFolder files = new MonitorFolder(List.of(folder), SystemClock.INSTANCE);
    files.watch(this::take);
    return files;
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("B-12 a file is read again; a broken one is refused and counted, the old one kept")
  void changes() throws IOException {
    Files.writeString(folder.resolve("a.json"), monitor("a"));
    Files.writeString(folder.resolve("b.json"), monitor("b"));
    try (MonitorFolder files = watch()) {
      assertThat(files.first().monitors()).extracting(Monitor::source).containsExactly("a", "b");
      write("a.json", monitor("a2"));
      patiently().until(() -> sources.equals(List.of("a2", "b")));
      write("a.json", monitor("a3").replace("oops", "(oops"));
      write("b.json", monitor("b2"));
      patiently().until(() -> sources.equals(List.of("a2", "b2")));
      assertThat(files.refusals()).isEqualTo(1);
      Files.delete(folder.resolve("a.json"));
      patiently().until(() -> sources.equals(List.of("b2")));
      assertThat(files.changes()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  @DisplayName("B-12 a folder that vanishes and a named file that is gone keep their monitors")
  void vanished() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path named = Files.writeString(folder.resolve("named.json"), monitor("named"));
    Files.writeString(inner.resolve("a.json"), monitor("a"));
    try (MonitorFolder files = new MonitorFolder(List.of(inner, named), SystemClock.INSTANCE)) {
      files.watch(this::take);
      Files.move(inner, folder.resolve("away"));
      Files.delete(named);
      patiently().until(() -> files.invalid().size() == 2);
      assertThat(files.invalid())
          .extracting(InvalidFile::path, InvalidFile::use)
          .containsExactly(
              tuple(inner.toString(), InvalidFile.Use.LAST_LISTED),
              tuple(named.toString(), InvalidFile.Use.LAST_VALID));
      assertThat(files.changes()).isZero();
      Files.createDirectory(inner);
      write("inner/b.json", monitor("b"));
      patiently().until(() -> sources.equals(List.of("b", "named")));
    }
  }

  @Test
  @DisplayName(
      "B-12 at the start a broken file of a folder is skipped and named; a named one is not")
  void brokenAtFirst() throws IOException {
    Path broken =
        Files.writeString(folder.resolve("a.json"), monitor("a").replace("oops", "(oops"));
    Files.writeString(folder.resolve("b.json"), monitor("b"));
    try (MonitorFolder files = watch()) {
      assertThat(files.first().monitors()).extracting(Monitor::source).containsExactly("b");
      assertThat(files.first().hasErrors()).isTrue();
      assertThat(files.namedPathIsInvalid()).isFalse();
      assertThat(files.invalid())
          .extracting(InvalidFile::path, InvalidFile::use)
          .containsExactly(tuple(broken.toString(), InvalidFile.Use.NOTHING));
      write("a.json", monitor("a"));
      patiently().until(() -> sources.equals(List.of("a", "b")));
      assertThat(files.invalid()).isEmpty();
      write("a.json", "[");
      patiently().until(() -> !files.invalid().isEmpty());
      assertThat(files.invalid().getFirst().use()).isEqualTo(InvalidFile.Use.LAST_VALID);
      assertThat(new MonitorFolder(List.of(broken), SystemClock.INSTANCE).namedPathIsInvalid())
          .isTrue();
    }
  }

  @Test
  @DisplayName("B-12 a mounted ConfigMap changes all its files at once, by a link")
  void configMap() throws IOException {
    version("1", "a");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(folder.resolve("m.json"), Path.of("..data/m.json"));
    try (MonitorFolder _ = watch()) {
      version("2", "b");
      Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..2"));
      Files.move(
          folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
      patiently().until(() -> sources.equals(List.of("b")));
    }
  }

  @Test
  @DisplayName("other files are taken once all of them are right; until then the old ones stay")
  void others() throws IOException {
    Path b = Files.writeString(folder.resolve("b.json"), monitor("b"));
    Path c = Files.writeString(folder.resolve("c.json"), monitor("c").replace("oops", "(oops"));
    Files.writeString(folder.resolve("a.json"), monitor("a"));
    try (MonitorFolder files =
        new MonitorFolder(List.of(folder.resolve("a.json")), SystemClock.INSTANCE)) {
      files.watch(this::take);
      files.use(List.of(b, c), this::take);
      patiently().until(() -> files.refusals() == 1);
      assertThat(files.changes()).as("b alone is not what was wanted").isZero();
      write("c.json", monitor("c"));
      patiently().until(() -> sources.equals(List.of("b", "c")));
      files.use(List.of(), this::take);
      assertThat(sources).isEmpty();
      files.use(List.of(b), this::take);
      patiently().until(() -> sources.equals(List.of("b")));
    }
  }

  private void take(List<Monitor> monitors) {
    sources = monitors.stream().map(Monitor::source).toList();
  }

  /** Writes beside and moves, as half of a file is refused. */
  private void write(String name, String text) throws IOException {
    Path copy = Files.writeString(folder.resolve(name + ".swp"), text);
    Files.move(copy, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private void version(String name, String source) throws IOException {
    Path directory = Files.createDirectory(folder.resolve(".." + name));
    Files.writeString(directory.resolve("m.json"), monitor(source));
  }
}
