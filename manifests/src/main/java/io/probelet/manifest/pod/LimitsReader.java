package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.runtime.confine.Limits;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the limits of a container. Requests concern only a scheduler. */
final class LimitsReader {
  private static final String LIMITS = "limits";
  private static final int MILLIS = 3;

  private LimitsReader() {}

  static Limits read(Field resources) {
    Fields fields = resources.objectOrEmpty();
    Fields limits = fields == null ? null : fields.field(LIMITS).objectOrEmpty();
    if (fields == null || limits == null) {
      return Limits.NONE;
    }
    Long memory = amount(limits.field("memory"), 0);
    Long cpu = amount(limits.field("cpu"), MILLIS);
    for (String name : limits.names()) {
      if (!name.equals("memory") && !name.equals("cpu")) {
        limits.keyed(name).forbidden("only memory and cpu of a local process can be limited");
      }
    }
    fields.rejectUnknown(Set.of("requests", "claims"));
    return new Limits(memory, cpu);
  }

  /** The limits of a whole pod. */
  static void refuse(Field resources) {
    Fields fields = resources.objectOrEmpty();
    if (fields != null && fields.field(LIMITS).isPresent()) {
      fields
          .field(LIMITS)
          .forbidden("limits of a whole pod are not supported here; limit its" + " containers");
    }
  }

  /** Null if there is no limit, which zero also means. */
  private static @Nullable Long amount(Field field, int decimals) {
    if (!field.isPresent()) {
      return null;
    }
    OptionalLong amount =
        field.value() instanceof Scalar scalar && (field.isText() || field.isNumber())
            ? Quantity.read(scalar.text(), decimals)
            : OptionalLong.empty();
    if (amount.isEmpty()) {
      field.invalid("must be a quantity of zero or more, such as 500m, 2 or 64Mi");
      return null;
    }
    return amount.getAsLong() == 0 ? null : Long.valueOf(amount.getAsLong());
  }
}
