package io.probelet.monitor.journal;

import java.util.List;

/** Whose entries of a journal are read. */
public sealed interface JournalOrigin {
  /**
   * {@return what an entry has to have: all fields of one of the lists, each as {@code
   * FIELD=value}}
   */
  List<List<String>> matches();

  /** {@return the same as an option of journalctl} */
  String option();

  /**
   * Those who log under this name.
   *
   * @param name the syslog identifier
   */
  record Identifier(String name) implements JournalOrigin {
    @Override
    public List<List<String>> matches() {
      return List.of(List.of("SYSLOG_IDENTIFIER=" + name));
    }

    @Override
    public String option() {
      return "--identifier=" + name;
    }
  }

  /**
   * A unit of systemd, and what systemd itself says about it.
   *
   * @param name with its type, or without if it is a service
   */
  record Unit(String name) implements JournalOrigin {
    @Override
    public List<List<String>> matches() {
      String unit = name.contains(".") ? name : name + ".service";
      return List.of(List.of("_SYSTEMD_UNIT=" + unit), List.of("_PID=1", "UNIT=" + unit));
    }

    @Override
    public String option() {
      return "--unit=" + name;
    }
  }
}
