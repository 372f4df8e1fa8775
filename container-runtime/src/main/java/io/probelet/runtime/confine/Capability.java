package io.probelet.runtime.confine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One of the kernel's capabilities; see capabilities(7).
 *
 * @param number the kernel's number for it, 0 to 40
 */
public record Capability(int number) implements Comparable<Capability> {
  private static final String PREFIX = "CAP_";

  /** Ordered by number. */
  private static final List<String> NAMES =
      List.of(
          ("CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP"
                  + " LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK"
                  + " IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN"
                  + " SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE"
                  + " AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM"
                  + " BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE")
              .split(" "));

  static final Capability SETGID = named("SETGID");
  static final Capability SETUID = named("SETUID");
  static final Capability SETPCAP = named("SETPCAP");

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if the kernel has no capability of that number
   */
  public Capability {
    if (number < 0 || number >= NAMES.size()) {
      throw new IllegalArgumentException("no capability has the number " + number);
    }
  }

  /**
   * Finds a capability by its name.
   *
   * @param name as in a manifest, with or without {@code CAP_}, in any case
   * @return the capability, empty if there is none of that name
   */
  public static Optional<Capability> of(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    int number = NAMES.indexOf(upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper);
    return number < 0 ? Optional.empty() : Optional.of(new Capability(number));
  }

  private static Capability named(String name) {
    return new Capability(NAMES.indexOf(name));
  }

  /** {@return all capabilities known to this program} */
  static Set<Capability> all() {
    return ofMask("ffffffffffffffff");
  }

  /** Reads a set in the format of /proc: hexadecimal, one bit per number. */
  static Set<Capability> ofMask(String hexadecimal) {
    long mask = Long.parseUnsignedLong(hexadecimal, 16);
    Set<Capability> set = new HashSet<>();
    for (int number = 0; number < NAMES.size(); number++) {
      if ((mask >> number & 1) == 1) {
        set.add(new Capability(number));
      }
    }
    return set;
  }

  /** {@return capabilities ordered by number, each as setpriv(1) writes it, after a sign} */
  static List<String> words(String sign, Collection<Capability> some) {
    List<String> words = new ArrayList<>();
    some.stream()
        .sorted()
        .forEach(each -> words.add(sign + NAMES.get(each.number()).toLowerCase(Locale.ROOT)));
    return words;
  }

  @Override
  public int compareTo(Capability other) {
    return Integer.compare(number, other.number);
  }

  /** {@return the name used in manifests, such as {@code NET_RAW}} */
  @Override
  public String toString() {
    return NAMES.get(number);
  }
}
