package io.probelet.manifest.probe;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The choice of exactly one handler among fields that exclude each other (P-7). */
public final class OneOf {
  private OneOf() {}

  /**
   * Finds the field that is there, and complains about each further one.
   *
   * @param owner the object that has the fields
   * @param names the fields, in the order in which the first wins
   * @return the first that is there, null when none is, which is not complained about
   */
  public static @Nullable Field pick(Fields owner, List<String> names) {
    Field chosen = null;
    for (String name : names) {
      Field field = owner.field(name);
      if (!field.isPresent()) {
        continue;
      }
      if (chosen == null) {
        chosen = field;
      } else {
        field.forbidden("may not specify more than 1 handler type"); // P-7: which one would count?
      }
    }
    return chosen;
  }
}
