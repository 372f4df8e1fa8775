package io.probelet.agent.config;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.remediator.resource.UnitName;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads the section {@code orders}. */
final class OrderFields {
  private OrderFields() {}

  static OrderSettings read(Field orders) {
    OrderSettings absent = OrderSettings.OFF;
    Fields section = orders.object();
    if (section == null) {
      return absent;
    }
    OrderSettings read =
        new OrderSettings(
            section.field("enabled").bool(absent.enabled()),
            units(section.field("units"), absent.units()),
            section.field("reboot").bool(absent.reboot()),
            section.field("kexec").bool(absent.kexec()),
            section.field("sysrq").bool(absent.sysrq()));
    section.rejectUnknown(Set.of());
    return read;
  }

  private static Set<String> units(Field field, Set<String> absent) {
    if (!field.isPresent()) {
      return absent;
    }
    Set<String> units = new LinkedHashSet<>();
    for (Field item : field.items()) {
      String unit = item.text();
      if (unit != null && !UnitName.isValid(unit)) {
        item.invalid(UnitName.RULE);
      } else if (unit != null) {
        units.add(unit);
      }
    }
    return units;
  }
}
