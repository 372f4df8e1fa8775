package io.probelet.remediator.order;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.remediator.resource.BootId;
import io.probelet.remediator.resource.RebootMode;
import io.probelet.remediator.resource.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what is ordered; whatever a stranger may have written has a bound. */
final class OrderSpecReader {
  private static final int MAX_NAME = 253;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{0," + MAX_NAME + "}");
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);
  private static final OrderOwner NOBODY = new OrderOwner("", "", "", "");
  private static final OrderSpec EMPTY =
      new OrderSpec(new OrderAction.Unreadable("no spec"), "", DEFAULT_TIMEOUT, "", NOBODY, false);

  private OrderSpecReader() {}

  static OrderSpec read(@Nullable Fields object) {
    Field field = object == null ? null : object.field("spec");
    Fields spec = field == null ? null : field.object();
    if (spec == null) {
      if (field != null && !field.isPresent()) {
        field.required("the action to carry out");
      }
      return EMPTY;
    }
    return new OrderSpec(
        action(spec),
        bootId(spec.field("bootID")),
        timeout(spec.field("timeoutSeconds")),
        spec.field("reason").text(""),
        owner(spec.field("remediation").objectOrEmpty()),
        spec.field("granted").bool(false));
  }

  /** The same, but that it cannot be carried out. */
  static OrderSpec unreadable(OrderSpec spec, String problem) {
    return new OrderSpec(
        new OrderAction.Unreadable(problem),
        spec.bootId(),
        spec.timeout(),
        spec.reason(),
        spec.owner(),
        spec.granted());
  }

  private static OrderAction action(Fields spec) {
    Field action = spec.field("action");
    return switch (action.text("")) {
      case OrderAction.Diagnose.WORD -> new OrderAction.Diagnose();
      case OrderAction.RestartServices.WORD -> restart(spec.field("units"));
      case OrderAction.Reboot.WORD -> reboot(spec.field("mode"));
      default -> {
        action.unsupported(
            List.of(
                OrderAction.Diagnose.WORD,
                OrderAction.RestartServices.WORD,
                OrderAction.Reboot.WORD));
        yield new OrderAction.Unreadable("unknown action");
      }
    };
  }

  private static OrderAction restart(Field field) {
    if (field.items().size() > UnitName.MAX_UNITS || field.items().isEmpty()) {
      field.error(
          Complaint.INVALID_VALUE,
          "Invalid value: %d units: must be 1 to %d"
              .formatted(field.items().size(), UnitName.MAX_UNITS));
      return new OrderAction.Unreadable("number of units");
    }
    List<String> units = new ArrayList<>();
    for (Field item : field.items()) {
      String unit = item.text("");
      if (!UnitName.isValid(unit)) {
        item.invalid(UnitName.RULE);
      } else if (units.contains(unit)) {
        item.duplicate("list each unit once");
      } else {
        units.add(unit);
      }
    }
    return units.isEmpty()
        ? new OrderAction.Unreadable("names of units")
        : new OrderAction.RestartServices(units);
  }

  private static OrderAction reboot(Field field) {
    RebootMode mode = FieldRules.oneOf(field, RebootMode.values());
    return new OrderAction.Reboot(mode == null ? RebootMode.REBOOT : mode);
  }

  private static String bootId(Field field) {
    String bootId = FieldRules.requiredText(field, "the boot ID that the order is for");
    if (bootId == null) {
      return "";
    }
    if (!BootId.isValid(bootId)) {
      field.invalid(
          "must be the bootID of the Node, at most " + OrderSpec.MAX_BOOT_ID + " characters");
      return "";
    }
    return bootId;
  }

  private static Duration timeout(Field field) {
    int seconds = field.int32((int) DEFAULT_TIMEOUT.toSeconds());
    if (seconds < 1 || seconds > OrderSpec.MAX_TIMEOUT.toSeconds()) {
      field.invalid("must be 1 to " + OrderSpec.MAX_TIMEOUT.toSeconds());
      return DEFAULT_TIMEOUT;
    }
    return Duration.ofSeconds(seconds);
  }

  private static OrderOwner owner(@Nullable Fields owner) {
    return owner == null
        ? NOBODY
        : new OrderOwner(
            name(owner.field("kind")),
            name(owner.field("namespace")),
            name(owner.field("name")),
            name(owner.field("uid")));
  }

  private static String name(Field field) {
    String name = field.text("");
    if (!NAME.matcher(name).matches()) {
      field.invalid("must be at most " + MAX_NAME + " letters, digits, dots and dashes");
      return "";
    }
    return name;
  }
}
