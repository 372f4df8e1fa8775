package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.runtime.confine.Limits;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a container may use at most. Requests are a scheduler's business. */
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
        limits
            .keyed(name)
            .forbidden("a process of this machine can be limited in memory and cpu only");
      }
    }
    fields.rejectUnknown(Set.of("requests", "claims"));
    return new Limits(memory, cpu);
  }

  /** The limits of a whole pod. */
  static void refuse(Field resources) {
    Fields fields = resources.objectOrEmpty();
    if (fields != null && fields.field(LIMITS).isPresent()) {
      fields.field(LIMITS).forbidden("a pod as a whole is not limited here, only its containers");
    }
  }

  /** Null where there is no limit, which zero means, too. */
  private static @Nullable Long amount(Field field, int decimals) {
    if (!field.isPresent()) {
      return null;
    }
    OptionalLong amount =
        field.value() instanceof Scalar scalar && (field.isText() || field.isNumber())
            ? Quantity.read(scalar.text(), decimals)
            : OptionalLong.empty();
    if (amount.isEmpty()) {
      field.invalid("must be an amount of zero or more, such as 500m, 2 or 64Mi");
      return null;
    }
    return amount.getAsLong() == 0 ? null : Long.valueOf(amount.getAsLong());
  }
}
