package io.probelet.runtime.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads and CPU time of processes whose names and number others choose. */
class ProcessFilesTest {
  @TempDir private Path root;

  private FakeProc proc;
  private ProcessFiles files;

  @BeforeEach
  void open() {
    proc = new FakeProc(root);
    files = new ProcessFiles(root);
  }

  @Test
  @DisplayName("counts the threads of all processes by state")
  void states() throws IOException {
    String states = "RSDTZIttKPWXx";
    for (int tid = 0; tid < states.length(); tid++) {
      proc.thread(10, 10 + tid, "web", states.charAt(tid), 0, 0);
    }
    proc.thread(50, 50, "other", 'D', 0, 0);
    assertThat(files.threads(List.of(10L, 50L))).contains(new ThreadStates(2, 3, 3, 3, 1));
  }

  @ParameterizedTest
  @DisplayName("a name is never read as a state")
  @ValueSource(strings = {"a) D 1 1", "D", ")", "((", "\n9 (x) D", "a) Z 1 (b", "ä\u0001"})
  void hostileNames(String name) throws IOException {
    proc.thread(10, 10, name, 'S', 5, 6);
    assertThat(files.threads(List.of(10L))).contains(new ThreadStates(0, 1, 0, 0, 0));
    assertThat(files.cpuMillis(List.of(10L))).as("children included").hasValue(180);
  }

  @Test
  @DisplayName("a process that ended is left out; none at all is unknown")
  void ended() throws IOException {
    proc.thread(10, 10, "web", 'S', 1, 0);
    proc.thread(11, 11, "gone", 'S', 1, 0);
    Files.delete(root.resolve("11/stat"));
    Files.delete(root.resolve("11/task/11/stat"));
    assertThat(files.threads(List.of(11L, 12L, 10L))).contains(new ThreadStates(0, 1, 0, 0, 0));
    assertThat(files.cpuMillis(List.of(11L, 12L, 10L))).hasValue(80);
    assertThat(files.threads(List.of(11L, 12L))).isEmpty();
    assertThat(files.cpuMillis(List.of(11L, 12L))).isEmpty();
    assertThat(files.threads(List.of())).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("an unexpected stat is no thread")
  @ValueSource(
      strings = {"", "10", "10 (web)", "10 (web) S", "10 (web) Sx 1 1 1 0 -1 4 1 0 0 0 1 1 1 1"})
  void malformed(String stat) throws IOException {
    Path task = Files.createDirectories(root.resolve("10/task/10"));
    Files.writeString(task.resolve("stat"), stat);
    assertThat(files.threads(List.of(10L))).isEmpty();
  }

  @Test
  @DisplayName("a family is a process with the children of all its threads")
  void family() throws IOException {
    children(10, 10, "12 13 ");
    children(10, 11, "14 ");
    children(12, 12, "15 16 ");
    for (long pid : List.of(13, 14, 15)) {
      children(pid, pid, "");
    }
    assertThat(files.family(10)).containsExactlyInAnyOrder(10L, 12L, 13L, 14L, 15L, 16L);
    assertThat(files.family(16)).as("it has ended").isEmpty();
    Files.delete(root.resolve("10/task/10/children"));
    Files.delete(root.resolve("10/task/11/children"));
    assertThat(files.family(10)).as("a kernel that lists none").isEmpty();
  }

  @Test
  @DisplayName("a family is limited, also if it claims to be its own child")
  void largeFamily() throws IOException {
    children(10, 10, "10 ".repeat(5000));
    assertThat(files.family(10)).hasSize(ProcessFiles.MAX_PROCESSES);
  }

  @Test
  @DisplayName("a family with too many threads is unknown, not a small one")
  void manyTasks() throws IOException {
    children(10, 10, "11 ");
    for (int tid = 0; tid < 4096; tid++) {
      Files.createDirectories(root.resolve("11/task/" + tid));
    }
    assertThat(files.family(10)).isEmpty();
  }

  private void children(long pid, long tid, String children) throws IOException {
    Path task = Files.createDirectories(root.resolve(pid + "/task/" + tid));
    Files.writeString(task.resolve("children"), children);
  }

  @Test
  @DisplayName("a limited number of threads is looked at")
  void manyThreads() throws IOException {
    for (int tid = 0; tid < ContainerEvidence.MAX_THREADS - 1; tid++) {
      proc.thread(10, 10 + tid, "web", 'S', 0, 0);
    }
    proc.thread(5000, 5000, "web", 'R', 0, 0);
    proc.thread(5000, 5001, "web", 'R', 0, 0);
    proc.thread(6000, 6000, "web", 'R', 0, 0);
    assertThat(files.threads(List.of(10L, 5000L, 6000L)))
        .contains(new ThreadStates(1, ContainerEvidence.MAX_THREADS - 1, 0, 0, 0));
  }
}
