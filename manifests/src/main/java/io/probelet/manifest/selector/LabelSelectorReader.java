package io.probelet.manifest.selector;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a label selector. */
public final class LabelSelectorReader {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private LabelSelectorReader() {}

  /**
   * Reads a selector; everything wrong with it goes to its list of problems.
   *
   * @param field the selector
   * @return the selector, null when absent
   */
  public static @Nullable LabelSelector read(Field field) {
    Fields selector = field.object();
    if (selector == null) {
      return null;
    }
    Map<String, String> labels = new LinkedHashMap<>();
    Fields matchLabels = selector.field("matchLabels").objectOrEmpty();
    if (matchLabels != null) {
      matchLabels.names().forEach(key -> labels.put(key, matchLabels.keyed(key).text("")));
    }
    List<LabelSelectorRequirement> requirements = new ArrayList<>();
    for (Field item : selector.field("matchExpressions").items()) {
      Fields requirement = item.object();
      if (requirement != null) {
        requirements.add(requirement(requirement));
      }
    }
    selector.rejectUnknown(Set.of());
    return new LabelSelectorBuilder()
        .withMatchLabels(labels)
        .withMatchExpressions(requirements)
        .build();
  }

  private static LabelSelectorRequirement requirement(Fields requirement) {
    Field operator = requirement.field("operator");
    Field values = requirement.field("values");
    String word = operator.text("");
    List<String> listed = values.texts();
    if (!OPERATORS.contains(word)) {
      operator.unsupported(OPERATORS);
    } else if (word.endsWith("In") && listed.isEmpty()) {
      values.required("must be specified when `operator` is 'In' or 'NotIn'");
    } else if (!word.endsWith("In") && !listed.isEmpty()) {
      values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
    LabelSelectorRequirement read =
        new LabelSelectorRequirement(requirement.field("key").text(""), word, listed);
    requirement.rejectUnknown(Set.of());
    return read;
  }
}
