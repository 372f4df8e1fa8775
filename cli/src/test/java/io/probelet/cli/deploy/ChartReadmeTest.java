package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.comments.CommentType;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The table in the chart's README is made of values.yaml, its comments included. */
class ChartReadmeTest {
  private static final Path README = HelmChart.DIRECTORY.resolve("README.md");
  private static final String BEGIN = "<!-- made from values.yaml by ChartReadmeTest -->\n";
  private static final String END = "<!-- end of what is made -->\n";

  @Test
  @DisplayName("docs: every value is explained, and the README's table is what values.yaml says")
  void table() throws IOException {
    StringBuilder table = new StringBuilder("| value | default | |\n|---|---|---|\n");
    rows("", values(), table);
    String readme = Files.readString(README);
    int begin = readme.indexOf(BEGIN) + BEGIN.length();
    int end = readme.indexOf(END);
    assertThat(end).as("%s has no lines %s%s", README, BEGIN, END).isGreaterThan(BEGIN.length());
    if (!readme.substring(begin, end).contentEquals(table)) {
      Path made = Files.writeString(Path.of("target", "chart-values.md"), table);
      fail("the table in %s is not what values.yaml says; %s is", README, made);
    }
  }

  private static MappingNode values() throws IOException {
    LoaderOptions comments = new LoaderOptions();
    comments.setProcessComments(true);
    try (Reader text = Files.newBufferedReader(HelmChart.DIRECTORY.resolve("values.yaml"))) {
      return (MappingNode) new Yaml(comments).compose(text);
    }
  }

  private static void rows(String prefix, MappingNode values, StringBuilder table)
      throws IOException {
    for (NodeTuple value : values.getValue()) {
      String name = prefix + ((ScalarNode) value.getKeyNode()).getValue();
      String why = comment(value.getKeyNode());
      assertThat(why).as("the comment above %s in values.yaml", name).isNotEmpty();
      if (value.getValueNode() instanceof MappingNode parts && isExplained(parts)) {
        table.append("| `%s` | | %s |\n".formatted(name, why));
        rows(name + ".", parts, table);
      } else {
        table.append("| `%s` | %s | %s |\n".formatted(name, written(value.getValueNode()), why));
      }
    }
  }

  /** Whether its own fields have comments, each. */
  private static boolean isExplained(MappingNode parts) {
    return parts.getValue().stream().anyMatch(part -> !comment(part.getKeyNode()).isEmpty());
  }

  /** {@return the lines right above it; what is above a blank line is about something else} */
  private static String comment(Node key) {
    List<CommentLine> lines = key.getBlockComments() == null ? List.of() : key.getBlockComments();
    StringBuilder text = new StringBuilder();
    for (CommentLine line : lines) {
      if (line.getCommentType() == CommentType.BLANK_LINE) {
        text.setLength(0);
      } else {
        text.append(line.getValue());
      }
    }
    return text.toString().strip().replace("|", "\\|");
  }

  private static String written(Node node) throws IOException {
    Object value = new ToValue().of(node);
    if (value instanceof String text) {
      return text.contains("\n") ? "a file" : text.isEmpty() ? "`\"\"`" : "`" + text + "`";
    }
    return "`" + new ObjectMapper().writeValueAsString(value) + "`";
  }

  /** From a node to what it is the text of. */
  private static final class ToValue extends SafeConstructor {
    private ToValue() {
      super(new LoaderOptions());
    }

    private Object of(Node node) {
      return constructDocument(node);
    }
  }
}
