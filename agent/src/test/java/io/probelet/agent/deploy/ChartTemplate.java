package io.probelet.agent.deploy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

/**
 * As much of Helm's templates as our chart uses: values, {@code if}, {@code else}, {@code end},
 * {@code not}, {@code or}, {@code toYaml} and {@code indent}. Whatever else is found is an error.
 */
final class ChartTemplate {
  private static final Pattern ACTION =
      Pattern.compile("(\\s*\\{\\{- |\\{\\{)\\s*(.*?)\\s*( -\\}\\}\\s*|\\}\\})", Pattern.DOTALL);
  private static final Pattern INDENT = Pattern.compile("(.+) \\| indent (\\d+)");
  private static final String COMMENT = "/*";

  private final Map<String, Object> values;
  private final StringBuilder out = new StringBuilder();

  /** Whether what stands here is wanted, innermost first; all of them have to be. */
  private final Deque<Boolean> wanted = new ArrayDeque<>();

  private ChartTemplate(Map<String, Object> values) {
    this.values = values;
  }

  static String render(String template, Map<String, Object> values) {
    ChartTemplate rendering = new ChartTemplate(values);
    Matcher actions = ACTION.matcher(template);
    int from = 0;
    while (actions.find()) {
      rendering.text(template.substring(from, actions.start()));
      rendering.action(actions.group(2));
      from = actions.end();
    }
    rendering.text(template.substring(from));
    if (!rendering.wanted.isEmpty()) {
      throw new IllegalArgumentException("an if without an end");
    }
    return rendering.out.toString();
  }

  private void text(String text) {
    if (!wanted.contains(false)) {
      out.append(text);
    }
  }

  private void action(String action) {
    if (action.startsWith("if ")) {
      wanted.push(holds(action.substring(3)));
    } else if (action.equals("else")) {
      wanted.push(!wanted.pop());
    } else if (action.equals("end")) {
      wanted.pop();
    } else if (!action.startsWith(COMMENT)) {
      text(expression(action));
    }
  }

  private boolean holds(String condition) {
    if (condition.startsWith("not ")) {
      return !holds(condition.substring(4));
    }
    if (condition.startsWith("or ")) {
      List<Boolean> each = new ArrayList<>();
      for (String one : condition.substring(3).split(" ", -1)) {
        each.add(holds(one));
      }
      return each.contains(true);
    }
    Object value = value(condition);
    return !value.equals(false) && !value.equals("");
  }

  private String expression(String expression) {
    Matcher indent = INDENT.matcher(expression);
    if (indent.matches()) {
      String margin = " ".repeat(Integer.parseInt(indent.group(2)));
      return expression(indent.group(1)).replaceAll("(?m)^", margin);
    }
    if (expression.startsWith("toYaml ")) {
      DumperOptions block = new DumperOptions();
      block.setDefaultFlowStyle(FlowStyle.BLOCK);
      return new Yaml(block).dump(value(expression.substring(7))).stripTrailing();
    }
    return String.valueOf(value(expression));
  }

  private Object value(String path) {
    if (!path.startsWith(".Values.")) {
      throw new IllegalArgumentException("not used by this chart: " + path);
    }
    Object value = values;
    for (String name : path.substring(".Values.".length()).split("\\.", -1)) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    if (value == null) {
      throw new IllegalArgumentException("not among the values: " + path);
    }
    return value;
  }
}
