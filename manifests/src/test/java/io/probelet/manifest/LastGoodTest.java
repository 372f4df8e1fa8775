package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.document.tree.Source;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files come, change, break and go; what should run follows, and a broken file keeps its pods. */
class LastGoodTest {

  private static final Path FOLDER = Path.of("/manifests");
  private static final String BROKEN = "kind: Pod\napiVersion: v1\n";
  private static final String JSON =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
       "spec": {"containers": [{"name": "web", "command": ["sleep", "1"]}]}}
      """;

  private final Map<Path, String> files = new TreeMap<>();

  @Test
  void filesThatComeChangeAndGoTakeTheirPodsAlong() {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    given("b.yaml", pod("b", "1") + "---\n" + pod("c", "1"));
    assertThat(names(update(pods).added())).containsExactly("b", "c");
    given("b.yaml", pod("b", "2") + "---\n" + pod("c", "1"));
    ManifestChange changed = update(pods);
    assertThat(changed.added()).isEmpty();
    assertThat(changed.removed()).isEmpty();
    assertThat(changed.replaced())
        .singleElement()
        .satisfies(
            pod -> assertThat(pod.before().ref()).isNotEqualTo(pod.after().ref()),
            pod -> assertThat(pod.before().ref()).hasToString("default/b"),
            pod -> assertThat(pod.after().ref()).hasToString("default/b"));
    files.remove(FOLDER.resolve("b.yaml"));
    assertThat(names(update(pods).removed())).containsExactly("b", "c");
  }

  @Test
  void aBrokenFileIsReportedAndItsPodsStayWhileTheRestGoesOn() {
    given("a.yaml", pod("a", "1") + "---\n" + pod("a2", "1"));
    given("b.yaml", pod("b", "1"));
    LastGood pods = begun();
    given("a.yaml", pod("a", "2") + "---\n" + BROKEN);
    given("c.yaml", pod("c", "1"));
    ManifestChange broken = update(pods);
    assertThat(names(broken.added())).containsExactly("c");
    assertThat(broken.replaced()).isEmpty();
    assertThat(broken.removed()).isEmpty();
    assertThat(broken.newProblems()).isNotEmpty().allMatch(Problem::isError);
    given("a.yaml", pod("a", "2"));
    ManifestChange mended = update(pods);
    assertThat(mended.replaced()).hasSize(1);
    assertThat(names(mended.removed())).containsExactly("a2");
    assertThat(mended.problems()).isEmpty();
    assertThat(mended.newProblems()).isEmpty();
  }

  @Test
  void anEmptiedFileKeepsItsPodsAndOneOfCommentsDoesNot() {
    given("a.yaml", pod("a", "1"));
    given("new.yaml", "");
    LastGood pods = begun();
    assertThat(pods.invalid()).isEmpty();
    given("a.yaml", " \n");
    ManifestChange emptied = update(pods);
    assertThat(emptied.removed()).isEmpty();
    assertThat(invalid(emptied.invalid())).containsExactly("/manifests/a.yaml LAST_VALID");
    assertThat(emptied.invalid().getFirst().error().message())
        .isEqualTo("is empty; to end its pods, delete it or comment them out");
    given("a.yaml", "# no pods");
    ManifestChange commented = update(pods);
    assertThat(names(commented.removed())).containsExactly("a");
    assertThat(commented.invalid()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "---\n",
        "null\n",
        "~",
        "!!null\n",
        "--- null\n---\n...\n",
        "%YAML 1.2\n---\n...\n",
        "---\r\n \r\n"
      })
  void aFileOfDocumentsWithoutContentKeepsItsPods(String text) {
    keepsItsPods("a.yaml", text);
  }

  @Test
  void aJsonFileThatIsNullKeepsItsPods() {
    keepsItsPods("a.json", "null");
  }

  private void keepsItsPods(String name, String text) {
    given(name, name.endsWith(".json") ? JSON : pod("a", "1"));
    LastGood pods = begun();
    assertThat(names(pods.first().pods())).containsExactly("a");
    given(name, text);
    ManifestChange emptied = update(pods);
    assertThat(emptied.removed()).isEmpty();
    assertThat(invalid(emptied.invalid())).containsExactly("/manifests/" + name + " LAST_VALID");
    assertThat(updateIfAny(pods)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"# pod\n---\n# pod\n", "---\n  # pod\n...\n", "null\n# pod"})
  void aFileWhoseDocumentsAreAllCommentedOutEndsItsPods(String text) {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    given("a.yaml", text);
    ManifestChange commented = update(pods);
    assertThat(names(commented.removed())).containsExactly("a");
    assertThat(commented.invalid()).isEmpty();
  }

  @Test
  void startsWithoutTheInvalidFileAndWithAllOthers() {
    given("a.yaml", pod("a", "1") + "---\n" + BROKEN);
    given("b.yaml", pod("b", "1"));
    LastGood pods = begun();
    assertThat(names(pods.first().pods())).containsExactly("b");
    assertThat(pods.first().hasErrors()).isTrue();
    assertThat(invalid(pods.invalid())).containsExactly("/manifests/a.yaml NOTHING");
    assertThat(pods.invalid().getFirst().errors()).isEqualTo(2);
    given("a.yaml", pod("a", "1"));
    ManifestChange fixed = update(pods);
    assertThat(names(fixed.added())).containsExactly("a");
    assertThat(fixed.invalid()).isEmpty();
  }

  @Test
  void namesTheInvalidFileUntilItIsFixedOrDeleted() {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    assertThat(pods.invalid()).isEmpty();
    given("a.yaml", BROKEN);
    assertThat(invalid(update(pods).invalid())).containsExactly("/manifests/a.yaml LAST_VALID");
    files.remove(FOLDER.resolve("a.yaml"));
    ManifestChange deleted = update(pods);
    assertThat(names(deleted.removed())).containsExactly("a");
    assertThat(deleted.invalid()).isEmpty();
    given("a.yaml", BROKEN);
    assertThat(invalid(update(pods).invalid()))
        .as("what was deleted does not come back")
        .containsExactly("/manifests/a.yaml NOTHING");
  }

  @Test
  void aPodOfAnInvalidFileDoesNotShadowAValidOne() {
    given("a.yaml", pod("p", "1") + "---\n" + BROKEN);
    given("b.yaml", pod("p", "2"));
    LastGood pods = begun();
    assertThat(names(pods.first().pods())).containsExactly("p");
    assertThat(pods.first().pods().getFirst().file()).isEqualTo(FOLDER.resolve("b.yaml"));
    assertThat(invalid(pods.invalid())).containsExactly("/manifests/a.yaml NOTHING");
  }

  @Test
  void theLastValidVersionKeepsItsNameFromOtherFiles() {
    given("b.yaml", pod("p", "1"));
    LastGood pods = begun();
    given("b.yaml", BROKEN);
    given("a.yaml", pod("p", "2") + "---\n" + pod("q", "1"));
    ManifestChange change = update(pods);
    assertThat(change.replaced()).isEmpty();
    assertThat(names(change.added())).containsExactly("q");
    assertThat(invalid(change.invalid()))
        .containsExactly("/manifests/a.yaml OTHER_PODS", "/manifests/b.yaml LAST_VALID");
    assertThat(change.invalid().getFirst().error().message())
        .contains("the pod is defined in /manifests/b.yaml:");
  }

  @Test
  void aNewFileThatIsBrokenHasNoPodsYet() {
    LastGood pods = begun();
    given("a.yaml", BROKEN);
    assertThat(update(pods).added()).isEmpty();
    given("a.yaml", pod("a", "1"));
    assertThat(names(update(pods).added())).containsExactly("a");
  }

  @Test
  void layoutAndCommentsMakeNoDifference() {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    given("a.yaml", "# comment\n---\n\n" + pod("a", "1"));
    assertThat(updateIfAny(pods)).isEmpty();
  }

  @Test
  void aProblemIsNewOnce() {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    given("a.yaml", BROKEN);
    assertThat(update(pods).newProblems()).hasSize(2);
    assertThat(updateIfAny(pods)).isEmpty();
    given("b.yaml", "kind: pod");
    ManifestChange second = update(pods);
    assertThat(second.newProblems()).hasSize(1);
    assertThat(second.problems()).hasSize(3);
  }

  @Test
  void aPodThatMovesToAnotherFileRunsOn() {
    given("b.yaml", pod("p", "1"));
    LastGood pods = begun();
    given("a.yaml", pod("p", "1"));
    assertThat(update(pods).newProblems()).hasSize(1);
    files.remove(FOLDER.resolve("b.yaml"));
    ManifestChange moved = update(pods);
    assertThat(moved.problems()).isEmpty();
    assertThat(moved.removed()).isEmpty();
    assertThat(moved.replaced()).isEmpty();
  }

  @Test
  void ofTwoPodsWithOneNameTheOneThatRunsStays() {
    given("b.yaml", pod("p", "1"));
    LastGood pods = begun();
    given("a.yaml", pod("p", "2"));
    ManifestChange duplicate = update(pods);
    assertThat(duplicate.replaced()).isEmpty();
    assertThat(duplicate.newProblems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("Duplicate value"));
    files.remove(FOLDER.resolve("b.yaml"));
    assertThat(update(pods).replaced()).hasSize(1);
  }

  @Test
  void aFolderThatCannotBeListedKeepsItsPods() {
    given("a.yaml", pod("a", "1"));
    LastGood pods = begun();
    Problem problem = Problem.ofFile(FOLDER, Problem.Severity.ERROR, "cannot be listed");
    ManifestChange change =
        pods.update(List.of(), new FoundFiles(List.of(), Set.of(FOLDER), List.of(problem)))
            .orElseThrow();
    assertThat(change.removed()).isEmpty();
    assertThat(change.newProblems()).containsExactly(problem);
    assertThat(invalid(change.invalid())).containsExactly("/manifests LAST_LISTED");
    assertThat(update(pods).removed()).isEmpty();
  }

  private void given(String name, String text) {
    files.put(FOLDER.resolve(name), text);
  }

  private LastGood begun() {
    return new LastGood(read(), found());
  }

  private ManifestChange update(LastGood pods) {
    return updateIfAny(pods).orElseThrow();
  }

  private Optional<ManifestChange> updateIfAny(LastGood pods) {
    return pods.update(read(), found());
  }

  private FoundFiles found() {
    return new FoundFiles(List.copyOf(files.keySet()), Set.of(), List.of());
  }

  private List<FileManifests> read() {
    List<FileManifests> read = new ArrayList<>();
    files.forEach((file, text) ->
        read.add(
            FileManifests.read(file, Source.of(text), Mode.STANDALONE_PROCESS, PodRules.LOCAL)));
    return read;
  }

  private static List<String> invalid(List<InvalidFile> files) {
    return files.stream().map(file -> file.path() + " " + file.use()).toList();
  }

  private static List<String> names(List<PodSource> pods) {
    return pods.stream().map(pod -> pod.ref().name()).toList();
  }

  static String pod(String name, String argument) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {containers: [{name: web, command: [sleep, "%s"]}]}
    """
        .formatted(name, argument);
  }
}
