package io.probelet.manifest;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of real files are noticed, once they have come to rest. */
@Timeout(300)
class ManifestFolderTest {

  @TempDir private Path folder;
  private final BlockingQueue<ManifestChange> changes = new LinkedBlockingQueue<>();
  private final List<ManifestFolder> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(ManifestFolder::close);
  }

  @Test
  void addingChangingAndDeletingAFile() throws Exception {
    write("a.yaml", pod("a", "1"));
    ManifestFolder watched = watched(folder);
    assertThat(names(watched.first().pods())).containsExactly("a");
    write("b.yml", pod("b", "1"));
    assertThat(names(next().added())).containsExactly("b");
    overwrite("b.yml", pod("b", "2"));
    assertThat(next().replaced()).hasSize(1);
    Files.delete(folder.resolve("b.yml"));
    assertThat(names(next().removed())).containsExactly("b");
    assertThat(changes).isEmpty();
  }

  @Test
  void anEditorThatReplacesTheFileAtomically() throws Exception {
    write("a.yaml", pod("a", "1"));
    watched(folder);
    write("a.yaml", pod("a", "2"));
    ManifestChange change = next();
    assertThat(change.replaced()).hasSize(1);
    assertThat(change.removed()).isEmpty();
  }

  @Test
  void aBrokenFileKeepsItsPodsUntilItIsMended() throws Exception {
    write("a.yaml", pod("a", "1"));
    watched(folder);
    write("a.yaml", "kind: [");
    ManifestChange broken = next();
    assertThat(broken.removed()).isEmpty();
    assertThat(broken.newProblems()).hasSize(1);
    write("a.yaml", pod("a", "2"));
    assertThat(next().replaced()).hasSize(1);
  }

  @Test
  void readsFilesWhoseNamesContainLineBreaks() throws Exception {
    write("a\nb.yaml", pod("a", "1"));
    write("c\nd.yaml", "kind: [");
    ManifestFolder watched = watched(folder);
    assertThat(names(watched.first().pods())).containsExactly("a");
    assertThat(watched.invalidAtFirst())
        .singleElement()
        .satisfies(file -> assertThat(file.error().toString()).doesNotContain("\n"));
  }

  @Test
  void startsWithoutAFileThatIsTooLarge() throws Exception {
    write("a.yaml", pod("a", "1") + "#".repeat(1 << 20));
    write("b.yaml", pod("b", "1"));
    ManifestFolder watched = watched(folder);
    assertThat(names(watched.first().pods())).containsExactly("b");
    assertThat(watched.invalidAtFirst())
        .singleElement()
        .satisfies(file -> assertThat(file.error().message()).contains("is larger than 1 MiB"));
    write("a.yaml", pod("a", "1"));
    ManifestChange fixed = next();
    assertThat(names(fixed.added())).containsExactly("a");
    assertThat(fixed.invalid()).isEmpty();
  }

  @Test
  void aFileThatBecomesADanglingLinkOrAPipeKeepsItsPods() throws Exception {
    write("a.yaml", pod("a", "1"));
    Files.createSymbolicLink(folder.resolve("b.yaml"), write("b.target", pod("b", "1")));
    watched(folder);
    Files.delete(folder.resolve("b.target"));
    Files.delete(folder.resolve("a.yaml"));
    assertThat(new ProcessBuilder("mkfifo", folder.resolve("a.yaml").toString()).start().waitFor())
        .isZero();
    ManifestChange change = next();
    while (change.invalid().size() < 2) {
      assertThat(change.removed()).isEmpty();
      change = next();
    }
    assertThat(change.removed()).isEmpty();
    assertThat(change.invalid())
        .extracting(file -> file.error().message())
        .containsExactly("is not a regular file", "links to a file that does not exist");
    assertThat(change.invalid())
        .extracting(InvalidFile::use)
        .containsOnly(InvalidFile.Use.LAST_VALID);
    Files.delete(folder.resolve("a.yaml"));
    Files.delete(folder.resolve("b.yaml"));
    List<String> ended = new ArrayList<>(names(next().removed()));
    while (ended.size() < 2) {
      ended.addAll(names(next().removed()));
    }
    assertThat(ended).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aFileNamedByItselfUnderAnyName() throws Exception {
    Path file = write("pod.manifest", pod("a", "1"));
    write("other.yaml", "not [ looked at");
    watched(file);
    write("pod.manifest", pod("a", "2"));
    assertThat(next().replaced()).hasSize(1);
    Files.delete(file);
    ManifestChange gone = next();
    assertThat(names(gone.removed())).containsExactly("a");
    assertThat(gone.newProblems())
        .extracting(Object::toString)
        .allMatch(line -> line.contains("no such file"));
  }

  @Test
  void aFolderThatVanishesOrIsReplacedByAnEmptyOneKeepsItsPods() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    write("inner/a.yaml", pod("a", "1"));
    watched(inner);

    Files.move(inner, folder.resolve("away"));
    ManifestChange vanished = next();
    assertThat(vanished.removed()).isEmpty();
    assertThat(vanished.invalid())
        .singleElement()
        .satisfies(lost -> {
          assertThat(lost.path()).isEqualTo(inner.toString());
          assertThat(lost.use()).isEqualTo(InvalidFile.Use.LAST_LISTED);
          assertThat(lost.error().message()).isEqualTo("no such file or directory");
        });

    Files.createDirectory(inner);
    ManifestChange empty = next();
    assertThat(empty.removed()).isEmpty();
    assertThat(empty.invalid().getFirst().error().message())
        .isEqualTo("was replaced by an empty folder; is a volume not mounted?");

    write("inner/b.yaml", pod("b", "1"));
    ManifestChange back = next();
    assertThat(names(back.added())).containsExactly("b");
    assertThat(names(back.removed())).containsExactly("a");
    assertThat(back.invalid()).isEmpty();
  }

  /** A file system may give the new folder the number of the old one. */
  @Test
  void aFolderThatIsDeletedAndMadeAnewAtOnceKeepsItsPods() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    write("inner/a.yaml", pod("a", "1"));
    Script script = new Script();
    ManifestFolder manifests = new ManifestFolder(List.of(inner), Mode.STANDALONE_PROCESS, script);
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> deleted("inner/a.yaml", "inner") && made(inner));
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> true);
    script.then(FolderWatch.QUIET, () -> false);
    play(manifests, script);
    script.finished();
    keepsPodsOfEmptyFolder(next());
    assertThat(changes).isEmpty();
  }

  @Test
  void aFolderThatIsSeenToVanishAndMadeAnewKeepsItsPods() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    write("inner/a.yaml", pod("a", "1"));
    Script script = new Script();
    ManifestFolder manifests = new ManifestFolder(List.of(inner), Mode.STANDALONE_PROCESS, script);
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> deleted("inner/a.yaml", "inner"));
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> made(inner));
    script.then(FolderWatch.QUIET, () -> false);
    play(manifests, script);
    script.finished();
    assertThat(next().removed()).isEmpty();
    keepsPodsOfEmptyFolder(next());
  }

  private static void keepsPodsOfEmptyFolder(ManifestChange change) {
    assertThat(change.removed()).isEmpty();
    assertThat(change.invalid())
        .extracting(file -> file.error().message())
        .containsExactly("was replaced by an empty folder; is a volume not mounted?");
  }

  @Test
  void theLastFileOfAFolderIsDeletedWithItsPods() throws Exception {
    write("a.yaml", pod("a", "1"));
    watched(folder);
    Files.delete(folder.resolve("a.yaml"));
    ManifestChange gone = next();
    assertThat(names(gone.removed())).containsExactly("a");
    assertThat(gone.invalid()).isEmpty();
  }

  @Test
  void aLinkToItselfIsToldWithItsCause() throws Exception {
    Path loop = Files.createSymbolicLink(folder.resolve("loop.yaml"), Path.of("loop.yaml"));
    for (Path named : List.of(loop, folder)) {
      assertThat(watched(named).invalidAtFirst().getFirst().error().message())
          .isEqualTo(
              "cannot be read: too many levels of symbolic links or unable to access attributes of symbolic link");
    }
  }

  @Test
  void aPipeNamedByItselfIsRefusedAndNotOpened() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    ManifestFolder watched = watched(pipe);
    assertThat(watched.namedPathIsInvalid()).isTrue();
    assertThat(watched.invalidAtFirst().getFirst().error().message())
        .isEqualTo("is not a regular file");
  }

  @Test
  void aConfigMapThatIsSwitchedByItsLink() throws Exception {
    write("v1/a.yaml", pod("a", "1"));
    write("v2/a.yaml", pod("a", "2"));
    Path data = folder.resolve("..data");
    Files.createSymbolicLink(data, Path.of("v1"));
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
    watched(folder);
    Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("v2"));
    Files.move(folder.resolve("..data_tmp"), data, ATOMIC_MOVE);
    assertThat(next().replaced()).hasSize(1);
  }

  @Test
  void aFileHalfWrittenIsNotReadUntilItIsQuiet() throws Exception {
    Script script = new Script();
    ManifestFolder manifests = new ManifestFolder(List.of(folder), Mode.STANDALONE_PROCESS, script);
    script.then(FolderWatch.QUIET, () -> false); // settles after the first registration
    script.then(FolderWatch.RESCAN, () -> wrote("a.yaml", "apiVersion: v1\nki"));
    script.then(FolderWatch.QUIET, () -> wrote("a.yaml", "apiVersion: v1\nkind: Pod\nmeta"));
    script.then(FolderWatch.QUIET, () -> !wrote("a.yaml", pod("a", "1"))); // unnoticed write
    script.then(FolderWatch.QUIET, () -> false);
    play(manifests, script);
    assertThat(names(next().added())).containsExactly("a");
    script.finished();
    assertThat(changes).isEmpty();
  }

  @Test
  void aFileThatNeverRestsIsReadAfterTwoSeconds() throws Exception {
    Script script = new Script();
    ManifestFolder manifests = new ManifestFolder(List.of(folder), Mode.STANDALONE_PROCESS, script);
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> wrote("a.yaml", pod("a", "1")));
    for (int i = 0; i < 10; i++) {
      script.then(FolderWatch.QUIET, () -> true);
    }
    play(manifests, script);
    assertThat(names(next().added())).containsExactly("a");
    script.finished();
  }

  @Test
  void aChangeThatNobodyTellsOfIsFoundByLooking() throws Exception {
    Script script = new Script();
    ManifestFolder manifests = new ManifestFolder(List.of(folder), Mode.STANDALONE_PROCESS, script);
    script.then(FolderWatch.QUIET, () -> false);
    script.then(FolderWatch.RESCAN, () -> false);
    script.then(FolderWatch.RESCAN, () -> !wrote("a.yaml", pod("a", "1")));
    script.then(FolderWatch.QUIET, () -> false);
    play(manifests, script);
    assertThat(names(next().added())).containsExactly("a");
    script.finished();
  }

  @Test
  void aListenerThatFailsDoesNotEndTheWatch() throws Exception {
    ManifestFolder manifests =
        new ManifestFolder(List.of(folder), Mode.STANDALONE_PROCESS, SystemClock.INSTANCE);
    open.add(manifests);
    manifests.watch(change -> {
      changes.add(change);
      throw new IllegalStateException("on purpose");
    });
    write("a.yaml", pod("a", "1"));
    assertThat(next().added()).hasSize(1);
    write("b.yaml", pod("b", "1"));
    assertThat(next().added()).hasSize(1);
  }

  private ManifestFolder watched(Path path) {
    ManifestFolder manifests =
        new ManifestFolder(List.of(path), Mode.STANDALONE_PROCESS, SystemClock.INSTANCE);
    open.add(manifests);
    manifests.watch(changes::add);
    return manifests;
  }

  private void play(ManifestFolder manifests, Script script) {
    open.add(manifests);
    manifests.watch(changes::add, script);
  }

  private ManifestChange next() throws InterruptedException {
    ManifestChange change = changes.poll(1, TimeUnit.MINUTES);
    assertThat(change).as("a change within a minute").isNotNull();
    return change;
  }

  private boolean wrote(String name, String text) {
    try {
      write(name, text);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean deleted(String... names) {
    try {
      for (String name : names) {
        Files.delete(folder.resolve(name));
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean made(Path directory) {
    try {
      return Files.isDirectory(Files.createDirectory(directory));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes beside and moves: half of a file would be news on a machine that stops just then. */
  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Path copy = Files.writeString(file.resolveSibling(file.getFileName() + ".swp"), text);
    return Files.move(copy, file, ATOMIC_MOVE);
  }

  /** Writes what is as long as before into the file itself, all at once. */
  private void overwrite(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    assertThat(text).hasSameSizeAs(Files.readString(file));
    Files.writeString(file, text, StandardOpenOption.WRITE);
  }

  private static String pod(String name, String argument) {
    return LastGoodTest.pod(name, argument);
  }

  private static List<String> names(List<PodSource> pods) {
    return pods.stream().map(pod -> pod.ref().name()).toList();
  }

  /** Plays what happens in the folder during each wait, on a clock of its own. */
  private static final class Script implements FolderSignal, TimeSource {
    private record Step(Duration expectedWait, BooleanSupplier happens) {}

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final Queue<Step> steps = new ArrayDeque<>();
    private final CountDownLatch played = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> surprises = new ArrayList<>();

    void then(Duration expectedWait, BooleanSupplier happens) {
      steps.add(new Step(expectedWait, happens));
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      Step step = steps.poll();
      if (step == null) {
        played.countDown();
        closed.await();
        throw new InterruptedException("closed");
      }
      if (!step.expectedWait().equals(atMost)) {
        surprises.add("waited " + atMost + " instead of " + step.expectedWait());
      }
      clock.advance(atMost.equals(FolderWatch.QUIET) ? atMost : Duration.ofSeconds(1));
      return step.happens().getAsBoolean();
    }

    void finished() throws InterruptedException {
      assertThat(played.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(surprises).isEmpty();
    }

    @Override
    public void close() {
      closed.countDown();
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public Instant wallTime() {
      return clock.wallTime();
    }
  }
}
