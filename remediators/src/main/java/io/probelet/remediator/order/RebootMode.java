package io.probelet.remediator.order;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How a node is rebooted. */
public enum RebootMode {
  /** By logind, which stops all services first. */
  REBOOT("Reboot"),
  /** By logind, into a kernel that is loaded already, past firmware and boot loader. */
  KEXEC("Kexec"),
  /** By the kernel itself, at once: file systems are synced, no service is stopped. */
  SYS_RQ("SysRq");

  private final String word;

  RebootMode(String word) {
    this.word = word;
  }

  /** {@return the word for it in the API} */
  public String word() {
    return word;
  }

  /** {@return the words of all} */
  public static List<String> words() {
    return Arrays.stream(values()).map(RebootMode::word).toList();
  }

  /**
   * Reads the word for a mode.
   *
   * @param word such as Reboot
   * @return the mode; empty if it is none
   */
  public static Optional<RebootMode> of(String word) {
    return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
  }
}
