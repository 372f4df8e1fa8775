package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.runtime.process.LocalContainer.EnvVar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the environment of a container. */
final class EnvReader {
  static final String NAME_RULE = "must consist of printable ASCII characters other than '='";

  private final Mode mode;

  EnvReader(Mode mode) {
    this.mode = mode;
  }

  /** Returns the variables in order; the value is empty if only a cluster can resolve it. */
  List<EnvVar> read(Fields container) {
    List<EnvVar> variables = new ArrayList<>();
    for (Field item : container.field("env").items()) {
      Fields variable = item.object();
      if (variable == null) {
        if (!item.isPresent()) {
          item.required("a variable with name and value");
        }
        continue;
      }
      String name = name(variable.field("name"));
      String value = value(variable);
      variable.rejectUnknown(Set.of());
      if (!name.isEmpty()) {
        variables.add(new EnvVar(name, value));
      }
    }
    Field envFrom = container.field("envFrom");
    if (mode == Mode.STANDALONE_PROCESS && !envFrom.items().isEmpty()) {
      envFrom.forbidden("cannot be read without a cluster; list the variables under env");
    }
    return variables;
  }

  /** Returns the values as written; the last of several with the same name wins (H-9). */
  static Map<String, String> byName(List<EnvVar> variables) {
    Map<String, String> values = new HashMap<>();
    for (EnvVar variable : variables) {
      values.put(variable.name(), variable.value());
    }
    return values;
  }

  /** {@return the variables whose value comes from elsewhere; of two with one name the later} */
  static Set<String> sourced(Fields container) {
    Set<String> sourced = new HashSet<>();
    for (Fields variable : FieldRules.objects(container.field("env"))) {
      String name = variable.field("name").text("");
      if (variable.field("valueFrom").isPresent()) {
        sourced.add(name);
      } else {
        sourced.remove(name);
      }
    }
    return sourced;
  }

  /** Whether a text that is not empty can be a variable's name. */
  static boolean isName(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=');
  }

  private static String name(Field field) {
    int errors = field.errors();
    String name = field.text("");
    if (field.errors() != errors) {
      return "";
    }
    if (name.isEmpty()) {
      field.required("the variable's name");
    } else if (!isName(name)) {
      field.invalid(NAME_RULE);
      return "";
    }
    return name;
  }

  private String value(Fields variable) {
    Field field = variable.field("value");
    Field source = variable.field("valueFrom");
    String value = field.text("");
    if (source.isPresent() && !value.isEmpty()) {
      source.forbidden("may not be specified when `value` is not empty");
    } else if (source.isPresent() && mode == Mode.STANDALONE_PROCESS) {
      source.forbidden("cannot be resolved without a cluster; set value instead");
    }
    if (value.indexOf('\0') >= 0) {
      field.invalid("must not contain the character NUL");
    }
    return value;
  }
}
