package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Main code, in names, comments and texts, and what users read say what is meant: reports, checks,
 * reads, returns. Its words are those of docs/development/glossary.md.
 */
class PlainWordsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Each as a word of a text or as a part of a name. */
  private static final Pattern POETRY =
      Pattern.compile(
          "\\b(office|tell|tells|telling|told|look|looks|looked|looking|wish|wishes|wished"
              + "|care|cares|cared|caring|judge|judges|judged|judging|judgement|judgment"
              + "|sighting|sightings|scribe|mirror|mirrors|mirrored|aim|aims|aimed|aiming|astray"
              + "|shot|shots|pace|paces|paced|keeper|keepers|stands? for|standing for)\\b");

  private static final Pattern BOUNDARY =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");

  /** Lines that one comment has in several. */
  private static final Pattern CONTINUED = Pattern.compile("\\s*\n\\s*(?:\\*|//|#)?\\s*");

  private static final List<Pattern> ALLOWED =
      Stream.of(
              // Gardener's word for who checks a Shoot, and ours for the same: a noun
              "io\\.probelet\\.cluster\\.care\\b|cluster-care|Care(?=[A-Z])|(?<=[Cc]luster)Care\\b",
              "CLUSTER_CARE|care\\.gardener\\.cloud|[Cc]are controllers?|Shoot care|shoot-care",
              // Kubernetes' word for the API server's copy of a static pod
              "mirror pods?|kubernetes\\.io/config\\.mirror|MIRROR_POD\\w*",
              // Go's own message, which users of a kubelet know
              "first record does not look like a TLS handshake",
              // the JDK's name for a match at the start
              "\\.lookingAt\\(",
              // names of before, for those who upgrade
              "`[a-z-]*node-keeper`|probelet-node-keeper")
          .map(Pattern::compile)
          .toList();

  @Test
  @DisplayName("Names, comments and texts of main code are in plain words")
  void mainCode() {
    assertThat(
            RuleBook.files(ROOT, ".java")
                .filter(file -> file.toString().contains("/src/main/"))
                .flatMap(PlainWordsTest::poetryIn))
        .isEmpty();
  }

  @Test
  @DisplayName("What users read is in plain words")
  void docs() {
    assertThat(
            Stream.of(
                    "README.md",
                    "CHANGELOG.md",
                    "SECURITY.md",
                    "deploy",
                    "kustomize",
                    "docs",
                    "examples")
                .flatMap(path -> RuleBook.files(ROOT.resolve(path), ""))
                .filter(file -> file.toString().matches(".*\\.(md|yaml|tpl|txt|sh)"))
                .flatMap(PlainWordsTest::poetryIn))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "void tellWhenRead(), tell",
    "LOOK_NANOS, look",
    "class BodyJudges {, judges",
    "boolean headTold;, told",
    "TLSLooks, looks",
    "to stand\\n * for leader, stand for",
    "cares for the cluster, cares",
    "the pod's mirror, mirror"
  })
  void isFound(String text, String word) {
    assertThat(poetry(text.replace("\\n", "\n"))).containsExactly(word);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a lookup in a map",
        "TemplateLookup",
        "a snapshot",
        "new ClusterCare(CareRound round)",
        "a static pod's mirror pod",
        "how it stands; for nobody"
      })
  void isAllowed(String text) {
    assertThat(poetry(text)).isEmpty();
  }

  private static Stream<String> poetryIn(Path file) {
    return poetry(RuleBook.text(file))
        .map(word -> ROOT.relativize(file) + " says \"" + word + "\"");
  }

  private static Stream<String> poetry(String text) {
    String joined = CONTINUED.matcher(text).replaceAll(" ");
    for (Pattern each : ALLOWED) {
      joined = each.matcher(joined).replaceAll(" ");
    }
    return POETRY
        .matcher(BOUNDARY.matcher(joined).replaceAll(" ").toLowerCase(Locale.ROOT))
        .results()
        .map(found -> found.group(1));
  }
}
