package io.probelet.document.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Embedded text is located in the file if its lines can be mapped. */
class EmbeddedTextTest {

  @DisplayName("the value of k, in text that is written in some way, stands at")
  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "'a: |\n  x: 1\n  k: v\n'; 3:6",
        "'a: |-\n\n\n      x: 1\n\n      k: v\n'; 6:10",
        "'a: |2\n    k: v\n'; 2:8",
        "'a: &anchor !!str |\n  k: v\n'; 2:6",
        "'a: >\n  x: 1\n\n  k: v\n'; 1:4",
        "'a: >\n  k: v\n'; 2:6",
        "'a: \"k: v\"\n'; 1:8",
        "'a: \"x: 1\\nk: v\"\n'; 1:4",
        "'a: |\n  {\"k\": \"v\"}\n'; 2:9",
      })
  void located(String file, String expected) {
    Source source = Source.of(file);
    Mapping root = (Mapping) Document.yaml(source).findFirst().orElseThrow().root();
    Scalar text = (Scalar) root.entries().get("a").value();
    Mapping inner = (Mapping) Document.embedded(text, source, 1000).root();
    assertThat(inner.entries().get("k").value().at()).hasToString(expected);
  }
}
