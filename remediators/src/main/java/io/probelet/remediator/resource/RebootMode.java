package io.probelet.remediator.resource;

/** How a node is rebooted. */
public enum RebootMode {
  /** By logind, as {@code systemctl reboot} does. */
  REBOOT("Reboot"),
  /** Into the loaded kernel, without the firmware. */
  KEXEC("Kexec"),
  /** By the kernel at once, without ending anything. */
  SYS_RQ("SysRq");

  private final String word;

  RebootMode(String word) {
    this.word = word;
  }

  /** {@return the word for it in the API, such as SysRq} */
  @Override
  public String toString() {
    return word;
  }
}
