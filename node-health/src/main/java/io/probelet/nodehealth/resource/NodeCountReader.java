package io.probelet.nodehealth.resource;

import io.probelet.document.field.Field;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.ScalarValue;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a number of nodes: an integer, or a whole percentage up to 100 (NHC-2). */
public final class NodeCountReader {
  private static final Pattern PERCENT = Pattern.compile("(100|[0-9]{1,2})%");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private NodeCountReader() {}

  /**
   * Reads a number of nodes.
   *
   * @return the number; null if absent or invalid
   */
  public static @Nullable NodeCount read(Field field) {
    if (!field.isPresent()) {
      return null;
    }
    String text = text(field);
    if (field.isText() && PERCENT.matcher(text).matches()) {
      return new NodeCount.Percent(Integer.parseInt(text.substring(0, text.length() - 1)));
    }
    if (NUMBER.matcher(text).matches()) {
      return new NodeCount.Nodes(Integer.parseInt(text));
    }
    field.invalid("must be a number of nodes, 0 or more, or a percentage from 0% to 100%");
    return null;
  }

  private static String text(Field field) {
    if (field.isNumber() && field.value() instanceof Scalar number) {
      return ScalarValue.integer(number).stream().mapToObj(Long::toString).findFirst().orElse("");
    }
    return field.isText() ? field.text("") : "";
  }
}
