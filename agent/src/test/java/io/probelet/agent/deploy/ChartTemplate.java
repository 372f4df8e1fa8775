package io.probelet.agent.deploy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

/**
 * As much of Helm's templates as our chart uses: values, {@code if}, {@code else}, {@code end},
 * {@code not}, {@code or}, {@code toYaml}, {@code indent}, variables, and what keeps a certificate
 * authority: {@code lookup}, {@code genCA}, {@code index}, {@code b64enc}. Whatever else is found
 * is an error.
 */
final class ChartTemplate {
  private static final Pattern ACTION =
      Pattern.compile("(\\s*\\{\\{- |\\{\\{)\\s*(.*?)\\s*( -\\}\\}\\s*|\\}\\})", Pattern.DOTALL);
  private static final Pattern INDENT = Pattern.compile("(.+) \\| indent (\\d+)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+) := (.+)");
  private static final Pattern FIELD = Pattern.compile("\\$(\\w+)\\.(\\w+)");
  private static final Pattern INDEX = Pattern.compile("index \\$(\\w+)\\.data \"([^\"]+)\"");
  private static final Pattern LOOKUP =
      Pattern.compile("lookup \"v1\" \"Secret\" (\\S+) \"([^\"]+)\"");
  private static final String COMMENT = "/*";

  private final Map<String, Object> values;
  private final Map<String, Map<String, String>> secrets;
  private final Map<String, Map<String, String>> variables = new HashMap<>();
  private final StringBuilder out = new StringBuilder();

  /** Whether what stands here is wanted, innermost first; all of them have to be. */
  private final Deque<Boolean> wanted = new ArrayDeque<>();

  private ChartTemplate(Map<String, Object> values, Map<String, Map<String, String>> secrets) {
    this.values = values;
    this.secrets = secrets;
  }

  /** Renders it for a cluster that has these Secrets already, by {@code namespace/name}. */
  static String render(
      String template, Map<String, Object> values, Map<String, Map<String, String>> secrets) {
    ChartTemplate rendering = new ChartTemplate(values, secrets);
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
    } else if (action.startsWith("$") && action.contains(":=")) {
      Matcher variable = matched(VARIABLE, action);
      variables.put(variable.group(1), object(variable.group(2)));
    } else if (!action.startsWith(COMMENT)) {
      text(expression(action));
    }
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not used by this chart: " + text);
    }
    return matcher;
  }

  /** An authority's name stands for what Helm would make. */
  private Map<String, String> object(String expression) {
    if (expression.startsWith("genCA ")) {
      return Map.of("Cert", "a certificate: " + expression, "Key", "a key: " + expression);
    }
    Matcher lookup = matched(LOOKUP, expression);
    return secrets.getOrDefault(value(lookup.group(1)) + "/" + lookup.group(2), Map.of());
  }

  private Map<String, String> variable(String name) {
    Map<String, String> variable = variables.get(name);
    if (variable == null) {
      throw new IllegalArgumentException("no variable " + name);
    }
    return variable;
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
    if (condition.startsWith("$")) {
      return !variable(condition.substring(1)).isEmpty();
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
    if (expression.startsWith("b64enc ")) {
      Matcher field = matched(FIELD, expression.substring(7));
      String text = String.valueOf(variable(field.group(1)).get(field.group(2)));
      return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
    Matcher index = INDEX.matcher(expression);
    if (index.matches()) {
      return String.valueOf(variable(index.group(1)).get(index.group(2)));
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
