package io.probelet.document.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text becomes a tree with positions, and never an exception. */
class DocumentTest {

  @Test
  void everyValueKnowsLineAndColumn() {
    Mapping root = (Mapping) only("a: 1\nb:\n  - x\n  - {c: y}\n").root();
    assertThat(root.at()).hasToString("1:1");
    assertThat(value(root, "a").at()).hasToString("1:4");
    assertThat(root.entries().get("b").nameAt()).hasToString("2:1");
    Sequence list = (Sequence) value(root, "b");
    assertThat(list.items().get(1).at()).hasToString("4:5");
    assertThat(value((Mapping) list.items().get(1), "c").at()).hasToString("4:9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5|INTEGER",
        "-1|INTEGER",
        "0x1F|INTEGER",
        "1_000|INTEGER",
        "0777|INTEGER",
        "1e3|FLOAT",
        ".5|FLOAT",
        ".inf|FLOAT",
        "true|BOOLEAN",
        "Off|BOOLEAN",
        "~|NULL",
        "null|NULL",
        "\"5\"|STRING",
        "\"yes\"|STRING",
        "!!str 5|STRING",
        "!!int \"5\"|INTEGER",
        "1:30|STRING",
        "2026-01-01|STRING",
        "8080/tcp|STRING",
        "y|STRING",
      })
  void plainTextIsTypedAsKubectlDoes(String text, ScalarType type) {
    Node value = value((Mapping) only("a: " + text).root(), "a");
    assertThat(((Scalar) value).type()).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10",
    "0x10, 16",
    "0b101, 5",
    "0o17, 15",
    "017, 15",
    "1_000, 1000",
    "1e2, 100",
    "10.0, 10",
    "-0, 0",
    "+7, 7",
    "9223372036854775807, 9223372036854775807"
  })
  void wholeNumbersOfAnyNotation(String text, long expected) {
    Scalar scalar = (Scalar) only(text).root();
    assertThat(ScalarValue.integer(scalar)).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "1.5", ".nan", "1e999999999", "1e-999999999"})
  void numbersThatFitNoLong(String text) {
    assertThat(ScalarValue.integer((Scalar) only(text).root())).isEmpty();
  }

  @Test
  void aNumberOfAMillionDigitsIsRefusedAtOnce() {
    Scalar scalar = new Scalar(Position.START, ScalarType.INTEGER, "9".repeat(1_000_000));
    assertThat(ScalarValue.integer(scalar)).isEmpty();
  }

  @Test
  void documentsAreNumberedAndEmptyOnesLeftOut() {
    List<Document> documents =
        yaml("# comment only\n---\na: 1\n---\n---\n# nothing\n---\nb: 2\n...\n");
    assertThat(documents).extracting(Document::number).containsExactly(1, 4);
    assertThat(documents.get(1).root().at()).hasToString("8:1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n\n", "# only a comment\n", "---\n", "---\n---\n", "~", "%YAML 1.2\n"})
  void nothingIsNoDocument(String text) {
    assertThat(yaml(text)).isEmpty();
  }

  @Test
  void aSyntaxErrorEndsItsDocumentOnly() {
    List<Document> documents = yaml("a: 1\n---\na: b: c\n---\nb: 2\n");
    assertThat(documents).extracting(Document::number).containsExactly(1, 2, 3);
    assertThat(documents.get(1).root()).isNull();
    assertThat(documents.get(1).problems())
        .containsExactly(
            new SyntaxProblem(
                new Position(3, 5), "is not YAML: mapping values are not allowed here"));
    assertThat(documents.get(2).root()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 'x|is not YAML: found unexpected end of stream while scanning a quoted scalar, which"
            + " begins at 1:4",
        "a: \"\\UFFFFFFFF\"|is not YAML after this: For input string: \"FFFFFFFF\" under radix 16",
        "a: *nobody|undefined alias; quote text that begins with *",
        "a: &a [*a]|undefined alias; quote text that begins with *",
        "? [a]|a field name must be text",
        "<<: 5|<< requires a mapping",
        "{a: 1}{b: 2}|is not YAML: expected '<document start>', but found '{'",
      })
  void brokenTextSaysWhy(String text, String message) {
    assertThat(only(text).problems()).extracting(SyntaxProblem::message).containsExactly(message);
  }

  @Test
  void aNameGivenTwiceIsAProblemThatNamesBothPlaces() {
    Document document = only("a: 1\nb: 2\na: 3\n");
    assertThat(document.problems())
        .containsExactly(
            new SyntaxProblem(new Position(3, 1), "\"a\" is given twice, first at 1:1"));
  }

  @Test
  void aliasesRepeatTheirAnchorAndMergeKeysFillGaps() {
    Mapping root =
        (Mapping)
            only("base: &b {x: 1, y: &t two}\nown:\n  <<: *b\n  x: 9\nalso: *t\nl: [*b]\n").root();
    Mapping own = (Mapping) value(root, "own");
    assertThat(((Scalar) value(own, "x")).text()).isEqualTo("9");
    assertThat(((Scalar) value(own, "y")).text()).isEqualTo("two");
    assertThat(((Scalar) value(root, "also")).text()).isEqualTo("two");
    assertThat(((Sequence) value(root, "l")).items().getFirst()).isEqualTo(value(root, "base"));
  }

  @Test
  @Timeout(60)
  void aBombOfAliasesIsRefused() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i <= 9; i++) {
      String items = ("*a" + (i - 1) + ", ").repeat(10);
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, items));
    }
    assertThat(only(bomb.toString()).problems())
        .extracting(SyntaxProblem::message)
        .containsExactly(
            "holds more than 200000 values, aliases expanded; split it or drop aliases");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? "})
  @Timeout(60)
  void deepNestingIsRefusedBeforeItCosts(String opening) {
    assertThat(only(opening.repeat(100_000)).problems())
        .extracting(SyntaxProblem::message)
        .containsExactly("is nested more than 64 levels deep");
  }

  @Test
  void jsonMayBeIndentedWithTabsAndEscapeSlashes() {
    Document json = only("{\n\t\"a\\/b\":\t[1, \"\\ud83d\\ude00\"]}");
    Mapping root = (Mapping) json.root();
    assertThat(root.entries().keySet()).containsExactly("a/b");
    assertThat(value(root, "a/b").at()).hasToString("2:10");
  }

  @Test
  void strictJsonReportsWhereItEnds() {
    assertThat(Document.json(Source.of("{\"a\": 1,}")).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.at()).hasToString("1:9"))
        .satisfies(problem -> assertThat(problem.message()).startsWith("is not JSON: "));
    assertThat(Document.json(Source.of("{} {}")).problems())
        .extracting(SyntaxProblem::message)
        .containsExactly("unexpected second value in the document");
  }

  @Test
  void windowsLineEndsAndByteOrderMarkDoNotMoveLines() {
    Source source = text("\uFEFFa: 1\r\nb:\r\n  c: 2\r\n".getBytes(StandardCharsets.UTF_8));
    Mapping root = (Mapping) Document.yaml(source).findFirst().orElseThrow().root();
    assertThat(root.at()).hasToString("1:1");
    assertThat(value((Mapping) value(root, "b"), "c").at()).hasToString("3:6");
  }

  @Test
  void bytesThatAreNoTextAreRefusedWithTheirPlace() {
    assertThat(malformed(new byte[] {'a', '\n', 'b', (byte) 0xFF}))
        .isEqualTo(new SyntaxProblem(new Position(2, 2), "is not UTF-8 from here on"));
    assertThat(malformed("a\n\u0000".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(
            new SyntaxProblem(
                new Position(2, 1), "holds the control character U+0000; is this a text file?"));
    assertThat(malformed("a: b".getBytes(StandardCharsets.UTF_16)))
        .isEqualTo(new SyntaxProblem(Position.START, "is UTF-16 text; save it as UTF-8"));
  }

  private static SyntaxProblem malformed(byte[] bytes) {
    return ((Source.Decoded.Malformed) Source.decode(bytes)).problem();
  }

  private static Source text(byte[] bytes) {
    return ((Source.Decoded.Text) Source.decode(bytes)).source();
  }

  private static List<Document> yaml(String text) {
    return Document.yaml(Source.of(text)).toList();
  }

  private static Document only(String text) {
    List<Document> documents = yaml(text);
    assertThat(documents).hasSize(1);
    return documents.getFirst();
  }

  private static Node value(Mapping mapping, String name) {
    return Objects.requireNonNull(mapping.entries().get(name)).value();
  }
}
