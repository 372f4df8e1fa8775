package io.probelet.monitor.journal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Selects the journal entries to read by their sender. */
public sealed interface JournalOrigin {
  /**
   * {@return the matches: an entry must have all fields of one of the lists, each as {@code
   * FIELD=value}}
   */
  List<List<String>> matches();

  /** {@return the same as options of journalctl} */
  List<String> options();

  /**
   * Senders with this syslog identifier, which any sender can choose.
   *
   * @param fields further fields that an entry must have; journald itself sets those that begin
   *     with an underscore, from kernel data about the sender
   */
  record Identifier(String name, Map<String, String> fields) implements JournalOrigin {
    /** Keeps an unmodifiable copy of the map. */
    public Identifier {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** Any sender with this syslog identifier. */
    public Identifier(String name) {
      this(name, Map.of());
    }

    @Override
    public List<List<String>> matches() {
      List<String> all = new ArrayList<>(List.of("SYSLOG_IDENTIFIER=" + name));
      fields.forEach((field, value) -> all.add(field + "=" + value));
      return List.of(all);
    }

    @Override
    public List<String> options() {
      List<String> all = new ArrayList<>(List.of("--identifier=" + name));
      fields.forEach((field, value) -> all.add(field + "=" + value));
      return all;
    }
  }

  /**
   * A systemd unit, and systemd's own messages about it.
   *
   * @param name with its type; may be omitted for a service
   */
  record Unit(String name) implements JournalOrigin {
    @Override
    public List<List<String>> matches() {
      String unit = name.contains(".") ? name : name + ".service";
      return List.of(List.of("_SYSTEMD_UNIT=" + unit), List.of("_PID=1", "UNIT=" + unit));
    }

    @Override
    public List<String> options() {
      return List.of("--unit=" + name);
    }
  }

  /**
   * Several systemd units, in one log.
   *
   * @param units one or more
   */
  record Units(List<Unit> units) implements JournalOrigin {
    /** Keeps an unmodifiable copy of the list. */
    public Units {
      units = List.copyOf(units);
    }

    /**
     * {@return the units of these names}
     *
     * @param names with their types; may be omitted for services
     */
    public static Units of(List<String> names) {
      return new Units(names.stream().map(Unit::new).toList());
    }

    @Override
    public List<List<String>> matches() {
      return units.stream().flatMap(unit -> unit.matches().stream()).toList();
    }

    @Override
    public List<String> options() {
      return units.stream().flatMap(unit -> unit.options().stream()).toList();
    }
  }
}
